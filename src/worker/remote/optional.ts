import { UsageError } from '../../errors.ts';

/** @throws UsageError `package_missing`, with the line that installs it */
export async function loadOptional<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new UsageError('package_missing', `this needs the package ${name}, which is not installed`, {
      cause,
      remedy: `Install it beside shelflift: npm install ${name} (with --global where shelflift was installed so).`,
    });
  }
}
