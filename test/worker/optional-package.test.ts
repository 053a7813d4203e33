import { expect, test } from 'vitest';
import { notInstalled } from '../../src/worker/remote/optional.ts';

test('a package that is not installed is reported with the command that installs it', async () => {
  const missing = 'shelflift-has-no-such-package';
  await expect(import(missing).catch(notInstalled(missing))).rejects.toMatchObject({
    code: 'package_missing',
    remedy: expect.stringContaining(`npm install ${missing}.`) as string,
  });
});
