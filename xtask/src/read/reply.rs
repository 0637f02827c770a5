//! Collects the names of the methods and public fields of the runtime type `Reply` from its source code. Fields of
//! response records must not have these names.

use std::collections::BTreeSet;

/// Source code of the module that defines `Reply`. Callers read each response through this type.
const SOURCE: &str = include_str!("../../../crates/core/src/reply.rs");

/// Returns the names of the public methods and public fields of `Reply`.
pub(super) fn members() -> BTreeSet<String> {
    let is_reply = |ty: &syn::Type| {
        matches!(ty, syn::Type::Path(path)
            if path.path.segments.last().is_some_and(|segment| segment.ident == "Reply"))
    };
    let is_public = |visibility: &syn::Visibility| matches!(visibility, syn::Visibility::Public(_));
    let mut members = BTreeSet::new();
    let Ok(file) = syn::parse_file(SOURCE) else { return members };

    for item in file.items {
        match item {
            syn::Item::Struct(item) if item.ident == "Reply" => {
                let public = item.fields.into_iter().filter(|field| is_public(&field.vis));
                members.extend(public.filter_map(|field| Some(field.ident?.to_string())));
            }
            syn::Item::Impl(item) if item.trait_.is_none() && is_reply(&item.self_ty) => {
                members.extend(item.items.into_iter().filter_map(|item| match item {
                    syn::ImplItem::Fn(method) if is_public(&method.vis) => {
                        Some(method.sig.ident.to_string())
                    }
                    _ => None,
                }));
            }
            _ => {}
        }
    }
    members
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_reply_has_is_read_from_its_source() {
        let members = members();
        for method in ["http", "credits_used", "list_price", "body", "into_inner", "map"] {
            assert!(members.contains(method), "{method} is not in {members:?}");
        }
        // Private fields of `Reply` do not count, because they cannot hide a field of a response.
        assert!(!members.contains("value") && !members.contains("deref"), "{members:?}");
    }
}
