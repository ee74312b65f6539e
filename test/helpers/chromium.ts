import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const applications = ['Google Chrome', 'Chromium'].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`);

/** A browser that is installed. */
function installed(): string | undefined {
  const folders = (process.env.PATH ?? '').split(':');
  const paths = [...folders.flatMap((folder) => names.map((name) => join(folder, name))), ...applications];
  return paths.find((path) => existsSync(path));
}

/** The browser that comes as a package, for Linux on x64 only. */
const isPackaged = process.platform === 'linux' && process.arch === 'x64';

/** Whether there is one at all: everywhere but on other machines than that without Chromium or Chrome. */
export const hasBrowser = isPackaged || installed() !== undefined;

interface Executable {
  executablePath: string;
  env: Record<string, string | undefined>;
}

/**
 * It unpacks itself into the folder for temporary files, and the libraries that a bare system lacks only where it takes
 * the machine for one of Vercel's; it tells where they are by LD_LIBRARY_PATH.
 */
async function unpacked(folder: string): Promise<Executable> {
  const before = { ...process.env };
  Object.assign(process.env, { TMPDIR: folder, VERCEL: '1' });
  try {
    const { default: packaged } = await import('@sparticuz/chromium');
    return { executablePath: await packaged.executablePath(), env: { ...process.env } };
  } finally {
    process.env = before;
  }
}

const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-quic'];

/** `folder` is where it may unpack itself. */
export async function launch(folder: string): Promise<Browser> {
  const path = installed();
  const { executablePath, env } =
    path === undefined ? await unpacked(folder) : { executablePath: path, env: process.env };
  const args = ['--no-sandbox', '--disable-gpu', '--no-first-run', ...quiet];
  return chromium.launch({ executablePath, args, env: env as Record<string, string> });
}
