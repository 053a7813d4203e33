import { expect, test } from 'vitest';
import { listTemplates, shippedRecognisers } from '../../src/mapping/template/load-template.ts';

test('reading the headers of shipped templates line by line gives the same result as reading them as YAML', async () => {
  const templates = listTemplates();
  const whole = templates.flatMap(({ name, recognise }) =>
    recognise === undefined ? [] : [[name, recognise]],
  );
  expect(whole.length).toBeGreaterThan(10);
  expect([...shippedRecognisers()]).toEqual(whole);
});
