//! Record tables: members and types of every record.

use quote::quote;

use super::{pretty, type_row};
use crate::model::Model;

pub(crate) fn tables(model: &Model) -> String {
    let mut text = pretty(quote! {
        use crypto_intel_core as rt;

        /// The record called `name`, such as `"XTweet"`.
        #[must_use]
        pub fn record(name: &str) -> Option<&'static rt::RecordRow> {
            RECORDS.binary_search_by_key(&name, |record| record.name).ok().map(|index| &RECORDS[index])
        }
    });
    let records = model.records.values().map(|record| {
        let name = &record.name;
        let fields = record.fields.iter().map(|field| {
            let (name, ty) = (&field.name, type_row(&field.ty, model));
            let required = field.required.then(|| quote!(.required()));
            let nullable = field.nullable.then(|| quote!(.nullable()));
            quote!(rt::Field::new(#name, #ty)#required #nullable)
        });
        quote!(rt::RecordRow { name: #name, fields: &[#(#fields),*] })
    });
    text.push_str(&pretty(quote! {
        /// Every record, sorted by name.
        pub static RECORDS: &[rt::RecordRow] = &[#(#records),*];
    }));
    text
}
