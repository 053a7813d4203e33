import type { TEMPLATES } from '../params/templates.ts';
import type { TextsOf } from '../texts.ts';

export const DE_TEMPLATES: TextsOf<typeof TEMPLATES> = {
  import_template_action_figures: () =>
    'Actionfiguren mit Kürzeln wie MOC und MIB; Wörter für den Zustand können auch die Verpackung beschreiben.',
  import_template_archidekt: () => 'Kartensammlungen von Archidekt; je Exemplar ein Stück.',
  import_template_boardgamegeek: () =>
    'collection.csv von BoardGameGeek; nur eigene Spiele, Tauschspiele mit dem Status trade, Kaufpreise als eigene Felder.',
  import_template_bricklink: () =>
    'Bestände von BrickLink-Läden, in CSV umgewandelt; je Exemplar ein Stück mit dem Status sell; Einzelteile werden ausgelassen.',
  import_template_brickset: () =>
    'Eigene Sets von Brickset, in allen Formaten; je Set ein Stück mit dem niedrigeren (gebrauchten) der beiden Werte.',
  import_template_clz: () =>
    'Comics von CLZ; Serie und Ausgabe als Name, Comics mit Verkaufsdatum als verkauft.',
  import_template_deckbox: () =>
    'Kartenbestände von Deckbox; je Exemplar ein Stück, einzelne Exemplare der Tauschliste mit dem Status trade.',
  import_template_die_cast: () =>
    'Modellautos, je Modell eine Zeile; Maßstab, Farbe und Modellnummer werden eigene Felder.',
  import_template_discogs: () =>
    'Sammlungen von Discogs; Interpret und Titel als Name, Goldmine-Zustände bleiben auch unverändert erhalten.',
  import_template_dragon_shield: () =>
    'Kartensammlungen von Dragon Shield; je Exemplar ein Stück, einzelne Tauschexemplare mit dem Status trade.',
  import_template_dupes: () =>
    'Archiviert doppelte Stücke, wie es die Spalte action einer Liste der doppelten Stücke sagt.',
  import_template_generic: () =>
    'Jede Liste mit Kopfzeile; Spalten nach ihren üblichen englischen, deutschen, französischen oder spanischen Namen.',
  import_template_goodreads: () =>
    'Bibliotheken von Goodreads; Regale werden Schlagwörter, ISBNs verlieren ihr ="…", to-read-Bücher ohne Exemplar werden ausgelassen.',
  import_template_librarything: () =>
    'Bibliotheken von LibraryThing (mit Tabulatoren); Schlagwörter, Exemplare und ISBNs; Wunschlisten werden ausgelassen.',
  import_template_manabox: () =>
    'Kartensammlungen von ManaBox; je Exemplar ein Stück; Zeilen von Listen und Decks werden ausgelassen.',
  import_template_moxfield: () =>
    'Kartensammlungen von Moxfield; je Exemplar ein Stück, einzelne Exemplare der Tauschliste mit dem Status trade.',
  import_template_mtggoldfish: () => 'Kartensammlungen von MTGGoldfish; je Exemplar ein Stück.',
  import_template_pricecharting: () =>
    'Sammlungen von PriceCharting; die Verpackung ergibt sich aus den enthaltenen Teilen, Werte werden als US-Cent gelesen.',
  import_template_rebrickable: () =>
    'Set-Listen von Rebrickable; je Set ein Stück, benannt nach seiner Nummer.',
  import_template_shopify: () =>
    'Produktexport von Shopify; je vorrätigem Exemplar ein Stück, aktive Produkte mit dem Status sell; Bildzeilen werden ausgelassen.',
  import_template_status_change: () =>
    'Ändert den Status von Stücken, die über id, sku oder Namen gefunden werden; alle anderen Spalten werden ignoriert.',
  import_template_tcgplayer_inventory: () =>
    'Bestand von TCGplayer-Händlern; je Exemplar ein Stück mit dem Status sell und dem Marktpreis als Wert.',
  import_template_tcgplayer: () => 'Kartensammlungen der TCGplayer-App; je Exemplar ein Stück.',
  import_template_topdecked: () =>
    'Kartensammlungen von TopDecked; je Exemplar ein Stück mit dem Preis der App als Wert.',
  import_template_woocommerce: () =>
    'Produktexport von WooCommerce; je vorrätigem Exemplar ein Stück, veröffentlichte Produkte mit dem Status sell; übergeordnete Produkte von Varianten werden ausgelassen.',
  export_layout_accounting: () =>
    'Stücke mit dem Status sold (CSV), nach Schätzwert und letzter Änderung, mit zwei Konten je Zeile; ohne Verkaufspreise.',
  export_layout_cardmarket: () =>
    'Bestandsdatei für Cardmarket (CSV): Karten zum Verkauf mit einem Wert in Euro und einer cardmarket_id.',
  export_layout_everything: () =>
    'Alle Felder und eigenen Felder und der Name der Sammlung, sortiert nach Sammlung und Name.',
  export_layout_insurance: () =>
    'Inventar für eine Versicherung (XLSX): vorhandene Stücke, ein Blatt je Sammlung, Summen nach Währung.',
  export_layout_journal: () =>
    'Verkaufsjournal für die Buchhaltung: eine Zeile je verkauftem Stück, mit dem Betrag aus custom_fields.sold_price.',
  export_layout_marketplace: () =>
    'Massenupload für einen Marktplatz (CSV): Stücke mit dem Status sell und einem Wert.',
  export_layout_plain: () => 'Die Felder der API, wie sie sind; ein Import dieser Datei ändert nichts.',
  export_layout_price_guide: () =>
    'Upload für einen Preisführer (CSV): jedes Stück mit seinem Zustand und heutigen Wert.',
  export_layout_tcgplayer: () =>
    'Upload für TCGplayer (CSV): Karten zum Verkauf mit einer TCGplayer-ID und einem Wert.',
};
