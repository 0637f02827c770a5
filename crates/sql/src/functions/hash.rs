//! Hash functions such as `MD5` and `SHA256`.

use md5::Md5;
use sha2::{Digest, Sha224, Sha256, Sha384, Sha512};
use sha3::Keccak256;

use super::{Built, FunctionCall, Made};
use crate::problem::Result;
use crate::types::Type;
use crate::value::Value;

pub(super) fn make(given: &FunctionCall<'_>) -> Made {
    Some(match given.name {
        "MD5" => hash::<Md5>(given),
        "SHA224" => hash::<Sha224>(given),
        "SHA256" => hash::<Sha256>(given),
        "SHA384" => hash::<Sha384>(given),
        "SHA512" => hash::<Sha512>(given),
        "keccak256" => hash::<Keccak256>(given),
        _ => return None,
    })
}

fn hash<D: Digest>(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(1..=1)?;
    given.is_text(0)?;
    Built::new(Type::FixedString(<D as Digest>::output_size()), |v| {
        Ok(Value::text(D::digest(v[0].bytes())))
    })
}
