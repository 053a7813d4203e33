/** Prefix of a custom field's key in headers, flags and templates. In a file of its own, so that using it loads no schema. */
export const CUSTOM_PREFIX = 'custom_fields.';
