import { spawn } from 'node:child_process';

/** Tries to open a browser. Does nothing if BROWSER is none, or on Linux without a display. */
export function openLink(link: string, env: NodeJS.ProcessEnv): void {
  const hasDisplay = Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
  const command = process.platform === 'darwin' ? 'open' : hasDisplay ? 'xdg-open' : undefined;
  if (command === undefined || env.BROWSER === 'none') return;
  const child = spawn(command, [link], { stdio: 'ignore', detached: true });
  // The link is printed too, so a failure needs no message.
  child.on('error', () => {});
  child.unref();
}
