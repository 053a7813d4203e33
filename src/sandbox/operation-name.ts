/** The contract's operations (api-v1 §4), by their names there. */
export const OPERATION_NAMES = [
  'listItems',
  'createItem',
  'getItem',
  'updateItem',
  'listCollections',
  'listListings',
  'getSalesSummary',
] as const;
export type OperationName = (typeof OPERATION_NAMES)[number];
