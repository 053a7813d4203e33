/**
 * Column headers by the field that they mean, compared folded (see fold.ts).
 *
 * `strong` words always mean the field. `usual` words mean it unless another column competes; then inference asks.
 * `weak` words often mean it but can mean something else (a company may be the grader), so inference always asks.
 * Within each list the earlier word wins: a manufacturer is a better brand than a company.
 *
 * `quantity` is missing on purpose: if a row silently became forty items, nothing could undo it, because the API has
 * no delete. It needs `--map` or a template.
 */
import { limits } from '../sheets/limits.ts';
import { fold } from './fold.ts';

/** A field that can be guessed from a header. `collection` stands for its name or id. */
export type GuessableField =
  | 'id'
  | 'collection'
  | 'name'
  | 'brand'
  | 'series'
  | 'release_year'
  | 'condition'
  | 'packaging'
  | 'status'
  | 'tags'
  | 'estimated_value';

/** How reliably a word means its field, the most reliable first. */
export const SAFETIES = ['strong', 'usual', 'weak'] as const;
export type Safety = (typeof SAFETIES)[number];

export interface Synonym {
  field: GuessableField;
  /** As written below, for messages: `synonym "maker"`. */
  word: string;
  safety: Safety;
  /** Position among the field's words; the lowest wins. */
  rank: number;
}

const WORDS: Record<GuessableField, Record<Safety, string>> = {
  id: {
    strong: 'item id|item_id|shelflift id|uuid',
    usual: '',
    weak: '',
  },
  collection: {
    strong:
      'collection name|collection|collection_id|sammlung|nombre de colección|nom de la collection|collezione|verzameling|kolekcja|コレクション',
    usual: 'kollektion|colección',
    weak: 'collectionfolder|collection folder|folder name|folder|binder name|binder|list name|collections|коллекция',
  },
  name: {
    strong:
      'name|item name|item title|toy name|model name|product name|figure name|card name|set name and number|book title|album title|game title|product title|title|full title|title name|coin name|objectname|bezeichnung|titel|titre|nombre|título|nom|nome|titolo|naam|nazwa|tytuł|название|наименование|名前|名称|商品名|品名|アイテム名|製品名|作品名|タイトル',
    usual:
      'bez|casting|model|item|toy|figure|character|car|car name|product|figurine|modell|figur|artikel|modèle|modele|modelo|figura|artículo|model',
    weak: 'action figure|articolo|modello|oggetto|artigo|brinquedo|przedmiot|модель|предмет|игрушка|モデル|item description|description|product description|omschrijving|opis|beschreibung|описание|make model|make/model|game|book|album|comic|card|coin|stamp|movie|film|locomotive|watch|player|subject|set name',
  },
  brand: {
    strong:
      'brand|brand name|diecast brand|model brand|model manufacturer|model maker|manufacturer|mfr|mfg|herst|manufacturer name|manufactured by|maker|toy company|toy maker|marke|hersteller|produzent|marque|fabricant|marca|fabricante|marchio|produttore|fabbricante|merk|fabrikant|producent|marka|бренд|марка|производитель|изготовитель|ブランド|メーカー|メーカー名|製造元',
    usual: 'make|firma',
    weak: 'vendor|company|фирма|publisher|publisher name|verlag|plattenfirma|éditeur|editor|editorial|editore|casa editrice|uitgever|editora|wydawca|wydawnictwo|издатель|издательство|出版社|record label|label|studio|developer|issuer|builder|artist|artist name|interpret|author|author name|authors|autor|auteur|autore|creator|designer|band',
  },
  series: {
    strong:
      'series|series name|toy line|toyline|serie|reihe|produktlinie|série|gamme|línea|reeks|seria|серия|линейка|シリーズ|シリーズ名',
    usual: 'product line|line|set|linie|colección/serie|range|assortment|wave',
    weak: 'theme|set name|coleção|linea|linha|linia|lijn|collana|thema|edition|expansion|franchise|universe|subtheme|console-name|console name|console|platform|system|edition code|set code',
  },
  release_year: {
    strong:
      'release year|year|yr|bj|release yr|released|year released|year of release|production year|year made|year of manufacture|year published|publication year|year of publication|yearpublished|year issued|issue year|jahr|erscheinungsjahr|baujahr|herstellungsjahr|jahrgang|année|annee|année de sortie|año|ano|año de lanzamiento|anno|anno di uscita|anno di pubblicazione|jaar|jaartal|bouwjaar|jaar van uitgave|uitgavejaar|ano de lançamento|ano de fabricação|rok|rok produkcji|rok wydania|год|год выпуска|год издания|год производства|年|発売年|製造年|発行年|年式',
    usual: 'release',
    weak: 'release date|publication date|date published|published|pub year|issue date|issued|built|first issued|copyright|original publication year|data wydania|дата выпуска|発売日|発行日|veröffentlicht|erschienen|model year|cover date',
  },
  condition: {
    strong:
      'condition|cond|zust|item condition|state of item|zustand|erhaltung|erhaltungszustand|état|etat|condición|condicion|estado de conservación|condizione|condizioni|stato di conservazione|staat|conditie|toestand|condição|estado de conservação|conservação|stan|stan zachowania|kondycja|состояние|сохранность|状態|コンディション',
    usual: 'grade',
    weak: 'media condition|collection media condition|card condition|grading|quality|estado|stato|qualità|kwaliteit|qualité|qualität',
  },
  packaging: {
    strong:
      'packaging|packaging state|packaging status|package status|verpackung|verpackungszustand|emballage|conditionnement|embalaje|empaque|confezione|imballo|verpakking|embalagem|opakowanie|упаковка|パッケージ|包装',
    usual: 'pkg|verp|package|box|box status|boxed|ovp|boîte|caja',
    weak: 'sealed|in box|original box|scatola|doos|caixa|pudełko|коробка|箱|外箱|loose/carded|carded/loose|carded|moc/loose',
  },
  status: {
    strong: 'status|item status|collection status|disposition|statut|estatus|verbleib',
    usual: '',
    weak: '',
  },
  tags: {
    strong:
      'tags|tag|keywords|keyword|schlagworte|schlagwörter|stichworte|etiketten|étiquettes|mots clés|mots-clés|etiquetas|palabras clave|etichette|parole chiave|trefwoorden|palavras-chave|tagi|słowa kluczowe|теги|метки|ключевые слова|タグ',
    usual: 'labels|categories',
    weak: 'bookshelves|genres|genre|category|subjects|subject headings|styles|kategorie|kategorien|catégorie|catégories|categoría|categorías|categoria|categorie|kategoria|категория|жанр|カテゴリ|ジャンル',
  },
  estimated_value: {
    strong:
      'estimated value|value|est value|mkt value|est. value|current value|value today|todays value|value now|worth|market value|wert|schätzwert|schaetzwert|marktwert|valeur|valeur estimée|valor|valor estimado|valore|valore stimato|waarde|geschatte waarde|wartość|wartość szacunkowa|szacowana wartość|стоимость|оценочная стоимость|評価額|価値|見積額|推定価格',
    usual: 'estimated price|est. price|estimate|estimation|market price|price|preis|prix|precio',
    weak: 'price estimate|fmv|fair market value|price guide|current price|tcg market price|median price|catalog value|catalogue value|book value|insured value|cib value|loose value|my price|currvalue|currentvalue|value new|value new usd|value used|price usd|us price|usd price|usd|variant price|start price|uk price|prezzo|prijs|preço|cena|цена|оценка|価格|値段|金額',
  },
};

const listed: readonly [key: string, Synonym][] = (Object.keys(WORDS) as GuessableField[]).flatMap((field) =>
  SAFETIES.flatMap((safety) =>
    WORDS[field][safety]
      .split('|')
      .filter((word) => word !== '')
      .map((word): [string, Synonym] => [fold(word), { field, word, safety, rank: rankOf(field, word) }]),
  ),
);

/** Position of a word among those of its field. */
function rankOf(field: GuessableField, word: string): number {
  return SAFETIES.flatMap((safety) => WORDS[field][safety].split('|')).indexOf(word);
}

/** Folded header → the fields that it can mean, the likeliest first. */
export const SYNONYMS: ReadonlyMap<string, readonly Synonym[]> = new Map(
  [...Map.groupBy(listed, ([key]) => key)].map(([key, entries]) => [
    key,
    entries
      .map(([, synonym]) => synonym)
      .sort((a, b) => SAFETIES.indexOf(a.safety) - SAFETIES.indexOf(b.safety)),
  ]),
);

/** Headers of numbers, such as `Toy #`, `Item No.` or `ISBN`. Their cells identify things but do not name them. */
const NUMBER_HEADER =
  /[#№]|(?:^|[^\p{L}])(?:no|nr|num|number|id|ids|code|sku|upc|ean|isbn|isbn-?1[03]|asin|gtin|barcode|serial|nummer|numero|número|numéro|номер|артикул|штрихкод|番号|型番)(?:$|[^\p{L}])|(?:nummer|number)$/iu;

/** Whether a column holds numbers, codes or ids by its header. Not true of `Set Name and Number`. */
export function isNumberHeader(header: string): boolean {
  if (header.length > limits.wordCharacters) return false;
  return NUMBER_HEADER.test(header) && !/\b(?:name|title)\b/i.test(header.replace(/#.*/, ''));
}

/** Looks up the whole header, then the part before a bracket: `Value (EUR)`, `Year [approx.]`. Empty for numbers. */
export function findSynonyms(header: string): readonly Synonym[] {
  const whole = SYNONYMS.get(fold(header));
  if (whole !== undefined && !/[#№]/u.test(header)) return whole;
  if (isNumberHeader(header) || header.length > limits.wordCharacters) return [];
  return SYNONYMS.get(fold(header.replace(/\s*[([][^)\]]*[)\]]\s*$/, ''))) ?? [];
}
