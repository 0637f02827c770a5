//! Common type of several types.
//!
//! The input is a list of types. The output is a type that contains all their values, or `None`.

use super::{Type, Zone};

/// Maximum precision of the decimals that are stored in 32, 64 and 128 bits.
const DECIMALS: [u8; 3] = [9, 18, 38];

/// Returns the smallest type that contains all values of all `types`. Returns `None` if no such type exists.
pub(crate) fn common(types: &[&Type]) -> Option<Type> {
    let nullable = types.iter().any(|ty| ty.is_nullable());
    let all_low = types.iter().all(|ty| matches!(ty, Type::LowCardinality(_)));
    let bare: Vec<&Type> =
        types.iter().map(|ty| ty.bare()).filter(|ty| **ty != Type::Nothing).collect();
    let Some(first) = bare.first() else { return Some(Type::Nothing.nullable_if(nullable)) };

    // Bool is another name of UInt8.
    let is_byte = |ty: &Type| matches!(ty, Type::Bool | Type::Int { bits: 8, signed: false });
    let are_equal =
        |ty: &&Type| ty == first || is_byte(ty) && is_byte(first) || are_equal_decimals(ty, first);
    let found = if bare.iter().all(are_equal) { (*first).clone() } else { common_bare(&bare)? };
    let holds_null = !matches!(found, Type::Array(_) | Type::Tuple(_) | Type::Map(..));
    if nullable && !holds_null {
        return None;
    }
    let found = found.nullable_if(nullable);
    Some(if all_low { Type::LowCardinality(Box::new(found)) } else { found })
}

/// Returns true for two decimal types with the same scale that are stored in the same number of bits. ClickHouse treats
/// such types as equal.
fn are_equal_decimals(a: &Type, b: &Type) -> bool {
    let parts = |ty: &Type| match ty {
        Type::Decimal { precision, scale } => {
            Some((DECIMALS.iter().position(|most| precision <= most), *scale))
        }
        _ => None,
    };
    parts(a).is_some() && parts(a) == parts(b)
}

fn common_bare(types: &[&Type]) -> Option<Type> {
    if types.iter().all(|ty| ty.is_text()) {
        return Some(Type::String);
    }
    if types.iter().all(|ty| ty.is_date() || ty.is_time()) {
        return Some(common_time(types));
    }
    if types.iter().all(|ty| ty.is_number()) {
        return common_number(types);
    }

    let inner = |of: fn(&Type) -> Option<&Type>| -> Option<Type> {
        common(&types.iter().map(|ty| of(ty)).collect::<Option<Vec<_>>>()?)
    };
    match types[0] {
        Type::Array(_) => {
            let of = inner(|ty| if let Type::Array(of) = ty { Some(of) } else { None })?;
            Some(Type::array(of))
        }
        Type::Map(..) => {
            let key = inner(|ty| if let Type::Map(key, _) = ty { Some(key) } else { None })?;
            let value = inner(|ty| if let Type::Map(_, value) = ty { Some(value) } else { None })?;
            Some(Type::Map(Box::new(key), Box::new(value)))
        }
        Type::Tuple(first) => common_tuple(types, first.len()),
        _ => None,
    }
}

/// Returns the common type of tuples with `count` members.
fn common_tuple(types: &[&Type], count: usize) -> Option<Type> {
    let mut members = Vec::new();
    for at in 0..count {
        let mut all = Vec::new();
        for ty in types {
            let Type::Tuple(other) = ty else { return None };
            if other.len() != count {
                return None;
            }
            all.push(&other[at].1);
        }
        members.push((None, common(&all)?.full()));
    }
    Some(Type::Tuple(members))
}

fn common_time(types: &[&Type]) -> Type {
    let scale = |ty: &&&Type| match ty {
        Type::DateTime64(scale, _) => Some(*scale),
        _ => None,
    };
    // The first type with the maximum scale determines the time zone.
    if let Some(most) = types.iter().filter_map(|ty| scale(&ty)).max() {
        let finest = types.iter().find(|ty| scale(ty) == Some(most));
        return Type::DateTime64(most, finest.map_or(Zone::SERVER, |ty| ty.zone()));
    }
    let zone = types.iter().find(|ty| ty.is_time()).map_or(Zone::SERVER, |ty| ty.zone());
    let has_early_days = types.contains(&&Type::Date32);
    match (types.iter().any(|ty| ty.is_time()), has_early_days) {
        (true, true) => Type::DateTime64(0, Zone::SERVER),
        (true, false) => Type::DateTime(zone),
        (false, _) => Type::Date32,
    }
}

fn common_number(types: &[&Type]) -> Option<Type> {
    let largest = |signed: bool| {
        types.iter().filter_map(|ty| ty.int_parts()).filter(|p| p.1 == signed).map(|p| p.0).max()
    };
    let (signed, unsigned) = (largest(true).unwrap_or(0), largest(false).unwrap_or(0));

    if types.iter().any(|ty| matches!(ty, Type::Decimal { .. })) {
        return common_decimal(types, signed.max(unsigned));
    }
    if types.iter().any(|ty| ty.is_float()) {
        // A float type stores all integers of up to half its bits exactly: Float32 all 16-bit integers.
        let bits = signed.max(unsigned);
        let has_double = types.iter().any(|ty| **ty == Type::Float64);
        return match bits {
            0..=16 if !has_double => Some(Type::Float32),
            0..=32 => Some(Type::Float64),
            _ => None,
        };
    }
    if signed > 0 && unsigned >= signed {
        return (unsigned != 64 && unsigned != 256).then(|| Type::int(unsigned * 2, true));
    }
    Some(Type::int(signed.max(unsigned), signed > 0))
}

fn common_decimal(types: &[&Type], int_bits: u16) -> Option<Type> {
    let (mut precision, mut scale) = (0, 0);
    for ty in types {
        match ty {
            Type::Decimal { precision: p, scale: s } => {
                scale = scale.max(*s);
                precision = precision.max(*p);
            }
            Type::Int { .. } | Type::Bool => {}
            _ => return None,
        }
    }
    let digits = match int_bits {
        0 => 0,
        8 => 3,
        16 => 5,
        32 => 10,
        64 => 20,
        _ => return None,
    };
    let needed = (digits + scale).max(precision);
    let class = DECIMALS.into_iter().find(|class| needed <= *class)?;
    Some(Type::Decimal { precision: class, scale })
}
