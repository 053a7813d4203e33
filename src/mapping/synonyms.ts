/**
 * Headers that people give their columns, by the field that they mean. Compared folded (see fold.ts).
 *
 * Only words whose meaning is safe without looking at values. `quantity` is not here on purpose: one row that
 * silently becomes forty items cannot be taken back, as the API has no delete; it needs `--map` or a template.
 */
import { fold } from './fold.ts';

/** A field that a header can be guessed to mean. `collection` stands for a name or an id. */
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

const words: Record<GuessableField, string> = {
  id: 'item id|item_id|shelflift id|uuid',
  collection:
    'collection name|collection|collection_id|sammlung|kollektion|colección|nombre de colección|nom de la collection',
  name: 'name|title|model|item|item name|item title|toy|toy name|figure|figure name|character|car|car name|casting|model name|product|product name|bezeichnung|titel|modell|figur|artikel|nom|titre|modèle|modele|figurine|nombre|título|modelo|figura|artículo',
  brand:
    'brand|brand name|maker|manufacturer|manufactured by|make|company|toy company|marke|hersteller|firma|produzent|marque|fabricant|marca|fabricante',
  series:
    'series|series name|line|toy line|toyline|product line|set|wave|assortment|range|serie|reihe|produktlinie|linie|série|gamme|línea|colección/serie',
  release_year:
    'release year|year|released|year released|release|year of release|production year|year made|year of manufacture|jahr|erscheinungsjahr|baujahr|herstellungsjahr|jahrgang|année|annee|année de sortie|año|ano|año de lanzamiento',
  condition:
    'condition|cond|item condition|grade|state of item|zustand|erhaltung|erhaltungszustand|état|etat|condición|condicion|estado de conservación',
  packaging:
    'packaging|package|packaging state|packaging status|box|box status|boxed|package status|verpackung|verpackungszustand|ovp|emballage|conditionnement|boîte|embalaje|empaque|caja',
  status: 'status|item status|collection status|disposition|statut|estatus|verbleib',
  tags: 'tags|tag|labels|label|keywords|keyword|categories|schlagworte|schlagwörter|stichworte|etiketten|étiquettes|mots clés|mots-clés|etiquetas|palabras clave',
  estimated_value:
    'estimated value|value|est value|est. value|est. price|estimated price|price|worth|current value|market value|market price|estimate|wert|schätzwert|schaetzwert|preis|marktwert|valeur|valeur estimée|prix|estimation|valor|valor estimado|precio',
};

/** Folded header → field and the word as written here, for `synonym "maker"`. */
export const SYNONYMS: ReadonlyMap<string, { field: GuessableField; word: string }> = new Map(
  (Object.keys(words) as GuessableField[]).flatMap((field) =>
    words[field].split('|').map((word) => [fold(word), { field, word }] as const),
  ),
);
