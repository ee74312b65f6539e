import { spawn } from 'node:child_process';

const openers: Partial<Record<NodeJS.Platform, string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Tries to open a browser. Does nothing if BROWSER is none, or on Linux without a display. */
export function openLink(link: string, env: NodeJS.ProcessEnv): void {
  const hasDisplay = Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
  const [command, ...args] = openers[process.platform] ?? (hasDisplay ? ['xdg-open'] : []);
  if (command === undefined || env.BROWSER === 'none') return;
  const child = spawn(command, [...args, link], { stdio: 'ignore', detached: true });
  // The link is printed too, so a failure needs no message.
  child.on('error', () => {});
  child.unref();
}
