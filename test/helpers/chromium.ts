import { existsSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const browsers = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const applications = ['Google Chrome', 'Chromium'].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`);

function inPath(names: readonly string[]): string[] {
  const folders = (process.env.PATH ?? '').split(':');
  return folders.flatMap((folder) => names.map((name) => join(folder, name)));
}

const found = (paths: readonly string[]) => paths.find((path) => existsSync(path));

/** One that never opens a window: it takes half the processor time of the whole browser. */
const installedShell = () => found(inPath(['chromium-headless-shell']));
const installedBrowser = () => found([...inPath(browsers), ...applications]);

/** The shell that comes as a package, for Linux on x64 only. */
const isPackaged = process.platform === 'linux' && process.arch === 'x64';

/** Whether there is one at all: everywhere but on other machines than that without Chromium or Chrome. */
export const hasBrowser = isPackaged || installedShell() !== undefined || installedBrowser() !== undefined;

export const noBrowser = 'no Chromium or Chrome is installed';

interface Executable {
  executablePath: string;
  env: Record<string, string | undefined>;
}

/**
 * The package unpacks itself into the folder for temporary files, and brings the libraries that a bare system lacks only
 * where it takes the machine for one of Vercel's. Its own font configuration names folders that aren't here, and without
 * a font Chromium crashes.
 */
async function unpack(folder: string): Promise<Executable> {
  const before = { ...process.env };
  const own = await mkdtemp(join(folder, 'chromium-'));
  Object.assign(process.env, { TMPDIR: own, VERCEL: '1' });
  try {
    const { default: packaged } = await import('@sparticuz/chromium');
    const executablePath = await packaged.executablePath();
    const FONTCONFIG_FILE = join(own, 'own-fonts.conf');
    const folders = `<dir>${join(own, 'fonts')}</dir><cachedir>${join(own, 'fonts-cache')}</cachedir>`;
    await writeFile(FONTCONFIG_FILE, `<?xml version="1.0"?><fontconfig>${folders}</fontconfig>`);
    return { executablePath, env: { ...process.env, FONTCONFIG_FILE } };
  } finally {
    // Key by key: a new object in place of `process.env` would leave the real environment as it is.
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
  }
}

/** Test files share this module, and the package unpacks itself only once a process. */
let unpacked: Promise<Executable> | undefined;

function unpackOnce(folder: string): Promise<Executable> {
  unpacked ??= unpack(folder);
  return unpacked;
}

const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-quic'];

/** `folder` is where it may unpack itself. */
export async function launch(folder: string): Promise<Browser> {
  const path = installedShell() ?? (isPackaged ? undefined : installedBrowser());
  const { executablePath, env } =
    path === undefined ? await unpackOnce(folder) : { executablePath: path, env: process.env };
  const args = ['--no-sandbox', '--disable-gpu', '--no-first-run', ...quiet];
  return chromium.launch({ executablePath, args, env: env as Record<string, string> });
}
