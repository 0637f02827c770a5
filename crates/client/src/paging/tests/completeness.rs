//! Tests of `Completeness` during and after reading a list. For example, the state is `Complete` after all rows were
//! read, and `CutAtLimit` after `max_pages` ended the list.

use super::offsets::holders;
use super::*;
use crate::Completeness;
use crate::CompletenessState::{Complete, CutAtLimit, MoreAvailable, StoppedByBudget};

#[tokio::test(start_paused = true)]
async fn completeness_names_the_limit_that_ended_the_list() {
    // Each page has 20 rows and costs 2 credits.
    let (api, _) = holders(50, 20, true);
    let list = || api.token_holders("vitalik.eth", "ethereum").pager();
    for (pager, rows, state) in [
        (list(), 50, Complete),
        (list().max_items(50), 50, Complete),
        (list().max_items(30), 30, CutAtLimit),
        (list().max_pages(2), 40, CutAtLimit),
        (list().max_credits(5), 40, StoppedByBudget),
    ] {
        let case = format!("{pager:?}");
        let mut items = pager.items();
        assert_eq!(items.collect_all().await.unwrap().len(), rows, "{case}");
        let ended = Completeness::of_items(&items);
        assert_eq!((ended.state, ended.total), (state, Some(50)), "{case}");
        assert_eq!(ended.resume.is_none(), ended.is_complete(), "{case}");
    }
}

#[tokio::test(start_paused = true)]
async fn limit_ends_list_only_after_the_received_rows() {
    let (api, _) = holders(50, 20, true);
    let list = || api.token_holders("vitalik.eth", "ethereum").max_pages(2);
    let state = |is_end| if is_end { CutAtLimit } else { MoreAvailable };

    let mut items = list().items();
    for row in 1..=40 {
        items.try_next().await.unwrap();
        assert_eq!(Completeness::of_items(&items).state, state(row == 40), "{row}");
    }

    // The second page is in flight when the first page is returned.
    let mut pages = list().pages();
    for page in 1..=2 {
        let resume = pages.try_next().await.unwrap().unwrap().resume;
        assert_eq!(Completeness::of_pages(&pages, resume).state, state(page == 2), "{page}");
    }
}
