/** Opens a file in the desktop's program for it. */
import { spawn } from 'node:child_process';

/** The command for a platform. It never runs through a shell, so that a file name cannot become a command. */
export function opener(file: string, platform: NodeJS.Platform): { command: string; args: string[] } {
  if (platform === 'darwin') return { command: 'open', args: [file] };
  // `start` is a command of cmd.exe and would need a shell; explorer opens a file like a double click.
  if (platform === 'win32') return { command: 'explorer.exe', args: [file] };
  return { command: 'xdg-open', args: [file] };
}

/** Resolves once the program was started, and to false if there is none. The program survives this process. */
export function openFile(file: string): Promise<boolean> {
  const { command, args } = opener(file, process.platform);
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'ignore', detached: true, shell: false });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
