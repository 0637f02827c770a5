//! Runs typify, and converts typify's types to [`Type`], the types of the generator's model.

use std::collections::{BTreeMap, BTreeSet};

use schemars::schema::Schema;
use typify_impl::{TypeDetails, TypeEnumVariant, TypeId, TypeSpace, TypeSpaceSettings};

use super::Types;
use super::batch::{KnownTypes, TypifyBatch};
use crate::model::Type;

/// Runs typify on one batch of schemas, and adds the computed types to `types`.
pub(super) fn run(
    asked: TypifyBatch,
    known: &KnownTypes<'_>,
    types: &mut Types,
) -> std::result::Result<(), String> {
    let TypifyBatch { schemas, members, tuples, places, elsewhere } = asked;
    let mut settings = TypeSpaceSettings::default();
    for name in &elsewhere {
        settings.with_replacement(name, name, std::iter::empty());
    }
    let mut space = TypeSpace::new(&settings);
    space.add_ref_types(schemas).map_err(|error| error.to_string())?;
    let mut given = Vec::new();
    for (place, schema) in places {
        let id = space.add_type(&schema).map_err(|error| error.to_string())?;
        given.push((place, id));
    }
    let mut named = Vec::new();
    for name in members.keys() {
        let reference = Schema::new_ref(format!("#/components/schemas/{name}"));
        named.push((name, space.add_type(&reference).map_err(|error| error.to_string())?));
    }

    let reader =
        Reader { space: &space, members: &members, tuples: &tuples, known, elsewhere: &elsewhere };
    for (place, id) in given {
        types.places.insert(place, reader.ty(&id)?);
    }
    for (name, id) in named {
        reader.component(name, &id, types)?;
    }
    Ok(())
}

struct Reader<'a> {
    space: &'a TypeSpace,
    members: &'a BTreeMap<String, Vec<String>>,
    tuples: &'a BTreeSet<(String, usize)>,
    known: &'a KnownTypes<'a>,
    elsewhere: &'a BTreeSet<String>,
}

impl Reader<'_> {
    fn component(
        &self,
        name: &str,
        id: &TypeId,
        types: &mut Types,
    ) -> std::result::Result<(), String> {
        let ty = self.space.get_type(id).map_err(|error| error.to_string())?;
        match ty.details() {
            TypeDetails::Struct(details) => {
                let members = &self.members[name];
                let mut read = BTreeMap::new();
                for (number, id) in details.properties() {
                    let index =
                        number.strip_prefix('m').and_then(|index| index.parse::<usize>().ok());
                    let member = index.and_then(|index| members.get(index));
                    let member = member
                        .ok_or_else(|| format!("typify generated the unknown field `{number}`"))?;
                    read.insert(member.clone(), self.ty(&id)?);
                }
                types.records.insert(name.to_owned(), read);
            }

            TypeDetails::Enum(details) => {
                let mut shapes = Vec::new();
                for (index, (_, variant)) in details.variants().enumerate() {
                    let TypeEnumVariant::Tuple(held) = variant else {
                        return Err(format!("a variant of the union `{name}` has no type"));
                    };
                    let is_tuple = self.tuples.contains(&(name.to_owned(), index));
                    shapes.push(match held.as_slice() {
                        [held] if !is_tuple => self.ty(held)?,
                        places => {
                            let places = places.iter().map(|id| self.ty(id));
                            Type::Tuple(places.collect::<std::result::Result<_, _>>()?)
                        }
                    });
                }
                types.unions.insert(name.to_owned(), shapes);
            }
            _ => {}
        }
        Ok(())
    }

    fn ty(&self, id: &TypeId) -> std::result::Result<Type, String> {
        let ty = self.space.get_type(id).map_err(|error| error.to_string())?;
        let inner = |id: &TypeId| self.ty(id).map(Box::new);
        Ok(match ty.details() {
            TypeDetails::Enum(_) => Type::Union(ty.name()),
            TypeDetails::Struct(_) => Type::Named(ty.name()),
            TypeDetails::Newtype(details) => self.ty(&details.inner())?,
            TypeDetails::Option(id) => Type::Option(inner(&id)?),
            TypeDetails::Vec(id) | TypeDetails::Set(id) | TypeDetails::Array(id, _) => {
                Type::List(inner(&id)?)
            }
            TypeDetails::Map(_, id) => Type::Map(inner(&id)?),
            TypeDetails::Box(id) => Type::Boxed(inner(&id)?),
            TypeDetails::Tuple(ids) => {
                Type::Tuple(ids.map(|id| self.ty(&id)).collect::<std::result::Result<_, _>>()?)
            }
            TypeDetails::Builtin(name) => self.builtin(name),
            TypeDetails::Unit => Type::Any,
            TypeDetails::String => Type::String,
        })
    }

    fn builtin(&self, name: &str) -> Type {
        match name {
            "bool" => Type::Boolean,
            "f64" => Type::Number,
            "f32" => Type::Exact,
            "i64" => Type::Integer,
            "u64" => Type::Wide,
            name if self.known.enums.contains(name) => Type::Enum(name.to_owned()),
            name if self.elsewhere.contains(name) => Type::Named(name.to_owned()),
            _ => Type::Any,
        }
    }
}
