/** Tests that act as several users of this machine, which only root may. */
import type { TestContext } from 'vitest';

export const IS_ROOT = process.getuid?.() === 0;

/** Skips the test for anybody but root, and says why. */
export function needsRoot({ skip }: TestContext): void {
  skip(!IS_ROOT, 'only root can act as another user');
}
