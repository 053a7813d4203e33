/**
 * A table with marked cells as one HTML page: no scripts, no external resources, every value escaped; its content security policy allows
 * only its one style.
 */
import { createHash } from 'node:crypto';
import { openAtomicFile } from './atomic-file.ts';
import type { MarkedTable } from './marked-table.ts';
import type { MarkedCell } from './xlsx/write-marked.ts';

const STYLE =
  'body{font:14px/1.4 system-ui,sans-serif;margin:2rem;color:#1a1a1a;background:#fff}' +
  'table{border-collapse:collapse;margin:1rem 0}th,td{border:1px solid #ccc;padding:.25rem .5rem;text-align:left;' +
  'vertical-align:top;max-width:30rem;overflow-wrap:anywhere}th{background:#f0f0f0;position:sticky;top:0}' +
  '.changed{background:#ffeb9c}.added{background:#c6efce}.emptied{background:#ffc7ce}.problem{background:#f4b084}';

/** Writes the page, which appears once it is complete. @returns its SHA-256, lower-case hex */
export async function writeMarkedHtml(file: string, table: MarkedTable): Promise<string> {
  const target = await openAtomicFile(file);
  try {
    await target.write(head(table));
    for await (const rows of table.rows()) await target.write(rows.map(tableRow).join(''));
    await target.write('</tbody></table>\n</body>\n</html>\n');
    return (await target.commit()).sha256;
  } catch (error) {
    await target.abort();
    throw error;
  }
}

function head({ title, summary, columns }: MarkedTable): string {
  const hash = createHash('sha256').update(STYLE).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  const totals = summary.map(([name, value]) => `<tr><th>${escape(name)}</th><td>${escape(value)}</td></tr>`);
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escape(title)}</title>`,
    `<style>${STYLE}</style>`,
    '</head>',
    '<body>',
    `<h1>${escape(title)}</h1>`,
    `<table><tbody>${totals.join('')}</tbody></table>`,
    '<p>Changed cells are yellow, new values green, emptied ones red, problems orange.</p>',
    `<table><thead><tr>${columns.map((column) => `<th>${escape(column)}</th>`).join('')}</tr></thead><tbody>`,
  ].join('\n');
}

function tableRow(cells: readonly MarkedCell[]): string {
  const tds = cells.map((cell) =>
    typeof cell === 'string'
      ? `<td>${escape(cell)}</td>`
      : `<td class="${cell.mark}">${escape(cell.text)}</td>`,
  );
  return `<tr>${tds.join('')}</tr>\n`;
}

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escape(text: string): string {
  // Control characters do not belong in a page, and some change the reading direction.
  return (
    text
      .toWellFormed()
      // oxlint-disable-next-line no-control-regex -- these must not reach a page
      .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f\u202a-\u202e\u2066-\u2069]/g, '\ufffd')
      .replaceAll(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign)
  );
}
