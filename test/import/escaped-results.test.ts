import { expect, it } from 'vitest';
import { openImport } from '../support/open-import.ts';

it('escaped text and headers in a rejects file are recognised, and create the same items as the source', async () => {
  await using it = await openImport();
  const rows = (year: string) =>
    `name,release_year,Shelf;=A1\nCar,1985,2\n"=1+1;@bus",${year},-5\n"'-plane",${year},"7,-x"\n`;
  const file = await it.file('toys.csv', rows('soon'));
  const { summary: first } = await it.import({
    file,
    keepUnknown: true,
    skipInvalid: true,
    run: { skipInvalid: true, yes: true },
  });
  const rejects = await it.read(first.files.rejects);
  expect(rejects.split('\r\n').slice(0, 3)).toEqual([
    expect.stringMatching(/^name,release_year,Shelf;'=A1,_row,/),
    expect.stringMatching(/^'=1\+1;'@bus,soon,-5,/),
    expect.stringMatching(/^''-plane,soon,"7,'-x",/),
  ]);
  const corrected = await it.file('corrected.csv', rejects.replaceAll('soon', '1986'));
  await it.import({ file: corrected, keepUnknown: true, run: { yes: true } });
  expect(
    Object.fromEntries(it.items().map(({ name, custom_fields: custom }) => [name, custom?.['Shelf;=A1']])),
  ).toEqual({ Car: '2', '=1+1;@bus': '-5', "'-plane": '7,-x' });
  const again = await it.file('again.csv', rows('1986'));
  const { summary } = await it.import({ file: again, run: { onlyNew: true, yes: true } });
  expect([summary.rows.created, it.items().length]).toEqual([0, 3]);
});
