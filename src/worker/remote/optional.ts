import { UsageError } from '../../base/errors.ts';
import { message } from '../../messages/message.ts';

/**
 * For `import(name).catch(…)`: written this way, bundlers skip the import if the package is not installed.
 *
 * @throws UsageError `package_missing`, with the line that installs it
 */
export function notInstalled(name: string): (cause: unknown) => never {
  return (cause) => {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new UsageError('package_missing', message('package_missing', { name }), {
      cause,
      actions: [{ do: 'byHand', label: message('install_package', { name }) }],
    });
  };
}
