import type { TEMPLATES } from '../params/templates.ts';
import type { TextsOf } from '../texts.ts';

export const EN_TEMPLATES: TextsOf<typeof TEMPLATES> = {
  import_template_action_figures: () =>
    'Action figures with MOC/MIB shorthand; words for the condition may also describe the packaging.',
  import_template_archidekt: () => 'Archidekt card collections; one item per copy.',
  import_template_boardgamegeek: () =>
    "BoardGameGeek's collection.csv; only owned games, those for trade with the status trade, prices paid as custom fields.",
  import_template_bricklink: () =>
    'BrickLink store inventories converted to CSV; one item per piece, with the status sell; parts are left out.',
  import_template_brickset: () =>
    "Brickset's owned sets, in all its formats; one item per set, with the lower (used) of the two values.",
  import_template_clz: () =>
    "CLZ's comics; series and issue as the name, comics with a date of sale as sold.",
  import_template_deckbox: () =>
    'Deckbox card inventories; one item per copy, single copies on the tradelist with the status trade.',
  import_template_die_cast: () =>
    'Die-cast cars, one row per casting; scale, colour and casting number become custom fields.',
  import_template_discogs: () =>
    'Discogs collections; artist and title as the name, Goldmine grades also kept as they are.',
  import_template_dragon_shield: () =>
    'Dragon Shield card collections; one item per copy, single copies for trade with the status trade.',
  import_template_dupes: () => 'Archives duplicates as the action column of a list of duplicates says.',
  import_template_generic: () =>
    'Any list with a header row; columns by their usual English, German, French or Spanish names.',
  import_template_goodreads: () =>
    'Goodreads libraries; shelves become tags, ISBNs lose their ="…", to-read books without a copy are left out.',
  import_template_librarything: () =>
    'LibraryThing libraries (tab-delimited); tags, copies and ISBNs; wishlists are left out.',
  import_template_manabox: () =>
    'ManaBox card collections; one item per copy; rows of lists and decks are left out.',
  import_template_moxfield: () =>
    'Moxfield card collections; one item per copy, single copies on the tradelist with the status trade.',
  import_template_mtggoldfish: () => 'MTGGoldfish card collections; one item per copy.',
  import_template_pricecharting: () =>
    'PriceCharting collections; the packaging follows from what is included, values are read as US cents.',
  import_template_rebrickable: () => "Rebrickable's set lists; one item per set, named by its number.",
  import_template_shopify: () =>
    "Shopify's product export; one item per piece in stock, active products with the status sell; rows of pictures are left out.",
  import_template_status_change: () =>
    'Changes the status of items found by id, sku or name; all other columns are ignored.',
  import_template_tcgplayer_inventory: () =>
    "TCGplayer sellers' stock; one item per copy, with the status sell and the market price as value.",
  import_template_tcgplayer: () => 'Card collections of the TCGplayer app; one item per copy.',
  import_template_topdecked: () =>
    "TopDecked card collections; one item per copy, with the app's price as value.",
  import_template_woocommerce: () =>
    "WooCommerce's product export; one item per piece in stock, published products with the status sell; parents of variations are left out.",
  export_layout_accounting: () =>
    'Items with the status sold (CSV), by estimated value and last change, with two accounts per line; no sale prices.',
  export_layout_cardmarket: () =>
    'Stock file for Cardmarket (CSV): cards for sale with a value in euros and a cardmarket_id.',
  export_layout_everything: () =>
    'Every field and custom field, and the name of the collection, sorted by collection and name.',
  export_layout_insurance: () =>
    'Inventory for an insurer (XLSX): owned items, a sheet for each collection, totals by currency.',
  export_layout_journal: () =>
    'Sales journal for bookkeeping: a line for each item that has become sold, with the amount from custom_fields.sold_price.',
  export_layout_marketplace: () =>
    'Bulk upload to a marketplace (CSV): items with the status sell and a value.',
  export_layout_plain: () => "The API's fields as they are; an import of this file changes nothing.",
  export_layout_price_guide: () =>
    'Upload to a price guide (CSV): each item with its condition and present value.',
  export_layout_tcgplayer: () => 'Upload to TCGplayer (CSV): cards for sale with a TCGplayer id and a value.',
};
