/**
 * The page's only script: it turns headings into buttons that sort their table. Without it, the page is the same, but
 * cannot be sorted. It runs in a browser, under a policy that names its hash; blanks sort last in either order. The
 * buttons are spans: Chromium drops real ones when it repeats a heading on the next printed page.
 */
export const SORT_SCRIPT = `
for (const table of document.querySelectorAll('table')) {
  const body = table.tBodies[0];
  if (!body || body.rows.length < 2) continue;
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement('span');
    button.setAttribute('role', 'button');
    button.tabIndex = 0;
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      button.click();
    });
    button.addEventListener('click', () => {
      const down = head.getAttribute('aria-sort') === 'descending' || (!head.hasAttribute('aria-sort') && !head.classList.contains('n'));
      for (const other of heads) other.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', down ? 'ascending' : 'descending');
      const number = head.classList.contains('n');
      const valueOf = (row) => {
        const cell = row.cells[column];
        const text = cell.dataset.v ?? cell.textContent;
        return text === '' ? null : number ? Number(text) : text;
      };
      const words = new Intl.Collator(undefined, { numeric: true });
      const rows = [...body.rows].map((row) => [valueOf(row), row]);
      rows.sort(([a], [b]) => {
        if (a === null || b === null) return (a === null) - (b === null);
        const order = number ? a - b : words.compare(a, b);
        return down ? order : -order;
      });
      body.append(...rows.map(([, row]) => row));
    });
  });
}
`;
