import { expect, test } from 'vitest';
import { listTemplates, shippedRecognisers } from '../../src/mapping/template/load-template.ts';

test('the headers of shipped templates are the same when read by line and as YAML', async () => {
  const templates = listTemplates();
  const whole = templates.flatMap(({ name, recognise }) =>
    recognise === undefined ? [] : [[name, recognise]],
  );
  expect(whole.length).toBeGreaterThan(10);
  expect([...shippedRecognisers()]).toEqual(whole);
});
