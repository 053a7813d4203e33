import { expect, it } from 'vitest';
import { BESIDE, ONCE_THERE, OTHERS } from './defects.ts';
import { planted, sourcesIn } from './plant.ts';

it('each defect can be planted into the current sources', () => {
  const sources = sourcesIn('.');
  for (const defect of [...ONCE_THERE, ...BESIDE, ...OTHERS])
    expect(planted(defect, sources).size, defect.name).toBeGreaterThan(0);
});
