/** What accounts and their annexes keep of cards, each read once. */
export function keptOfCards(table: "counters" | "terms"): string {
  return `
    select organization_id, account_id, annex_id, kept ->> 'card' as card_id, kept::jsonb - 'card' as kept
      from (select organization_id, account_id, null as annex_id, kept from accounts where kind = 'Card'
            union all select organization_id, account_id, annex_id, kept from account_annexes) keeper (
              organization_id, account_id, annex_id, all_kept)
     cross join json_array_elements(coalesce(all_kept -> '${table}', '[]')) kept`;
}

/** Where a card is not kept in its account or, if it came to share that, in an annex of its own. */
export const IS_MISPLACED = `(k.account_id is distinct from c.account_id
  or k.annex_id is distinct from case when c.is_guest then c.card_id end)`;
