//! Conversions between bytes and their text in hexadecimal digits or Base64.

use super::{Built, FunctionCall};
use crate::problem::{Problem, Result};
use crate::types::Type;
use crate::value::Value;

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

pub(super) fn hex_of_number(given: &FunctionCall<'_>) -> Result<Built> {
    given.is_int(0)?;
    let (bits, _) = given.types[0].int_parts().unwrap_or((64, true));
    if bits > 64 {
        return Err(given.fault("numbers of more than 64 bits are not supported"));
    }
    Built::new(Type::String, move |v| {
        let digits = format!("{:X}", crate::value::wrap(v[0].int(), bits, false));
        let odd = if digits.len() % 2 == 1 { "0" } else { "" };
        Ok(Value::text(format!("{odd}{digits}")))
    })
}

pub(super) fn unhex(text: &[u8]) -> Vec<u8> {
    // Like ClickHouse, a character that is not a hexadecimal digit counts as 255.
    let digit = |byte: &u8| char::from(*byte).to_digit(16).unwrap_or(255).to_le_bytes()[0];
    let (first, rest) = text.split_at(text.len() % 2);
    let mut bytes: Vec<u8> = first.iter().map(digit).collect();
    let pair = |pair: &[u8]| digit(&pair[0]).wrapping_mul(16).wrapping_add(digit(&pair[1]));
    bytes.extend(rest.chunks(2).map(pair));
    bytes
}

pub(super) fn base64(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() / 3 * 4 + 4);
    for part in text.chunks(3) {
        let byte = |at: usize| u32::from(part.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for at in 0..4 {
            let sign = BASE64[(bits >> (18 - 6 * at) & 63) as usize];
            out.push(if at <= part.len() { sign } else { b'=' });
        }
    }
    out
}

pub(super) fn base64_decoder(given: &FunctionCall<'_>) -> Result<Built> {
    Built::new(Type::String, |v| {
        let fault = || Problem::text("`base64Decode` needs valid Base64 text");
        let text = v[0].bytes();
        let signs = text.strip_suffix(b"==").or_else(|| text.strip_suffix(b"=")).unwrap_or(text);
        if text.len() % 4 != 0 {
            return Err(fault());
        }
        let (mut bits, mut count, mut out) = (0_u32, 0, Vec::new());
        for sign in signs {
            let value = BASE64.iter().position(|known| known == sign).ok_or_else(fault)?;
            bits = bits << 6 | u32::try_from(value).unwrap_or(0);
            count += 6;
            if count >= 8 {
                count -= 8;
                out.push((bits >> count & 255).to_le_bytes()[0]);
            }
        }
        Ok(Value::Text(out.into()))
    })
    .map_err(|_| given.fault("the argument must be a string"))
}
