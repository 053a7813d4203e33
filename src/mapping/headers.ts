/** What a header row says about where a file comes from. */

/** Headers that only our item exports have together: these four, and one of the read-only ones. */
const EXPORT_HEADERS = ['id', 'name', 'status', 'collection_id'];
const EXPORT_ONLY_HEADERS = ['object', 'created_at', 'updated_at'];

/**
 * True for the headers of our own item exports: `id`, `name`, `status` and `collection_id`, each exactly and
 * once, and at least one of `object`, `created_at` and `updated_at`. Further columns do not change that, so
 * that a column of notes added by hand, or our results columns, leave the file an export. An export cut to
 * other columns (`--columns id,name`) is read as an ordinary file, as one made by hand has the same headers; what
 * its cells say is still compared with the text form of the current value, also where they could not be cast, so it
 * comes back unchanged too.
 */
export function isOwnExport(headers: readonly string[]): boolean {
  return (
    EXPORT_HEADERS.every((name) => headers.filter((header) => header === name).length === 1) &&
    EXPORT_ONLY_HEADERS.some((name) => headers.includes(name))
  );
}

/** True for a results or rejects file of ours: it has `_row` and `_state`. Its texts are escaped. */
export function isResultsFile(headers: readonly string[]): boolean {
  return headers.includes('_row') && headers.includes('_state');
}
