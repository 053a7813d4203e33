/** What stands before the key of a custom field, in headers, flags and templates. Alone here, as it needs no schema. */
export const CUSTOM_PREFIX = 'custom_fields.';
