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

const firstExisting = (paths: readonly string[]) => paths.find((path) => existsSync(path));

/** The headless shell takes half the CPU time of the full browser. */
const installedShell = () => firstExisting(inPath(['chromium-headless-shell']));
const installedBrowser = () => firstExisting([...inPath(browsers), ...applications]);

/** The npm package with a headless shell supports only Linux x64. */
const isPackaged = process.platform === 'linux' && process.arch === 'x64';

/** True on Linux x64, and wherever Chromium or Chrome is installed. */
export const hasBrowser = isPackaged || installedShell() !== undefined || installedBrowser() !== undefined;

export const noBrowserReason = 'no Chromium or Chrome is installed';

interface Executable {
  executablePath: string;
  env: Record<string, string | undefined>;
}

/**
 * The package unpacks itself into TMPDIR, and it includes libraries that a bare system lacks only if it detects Vercel.
 * Its font configuration names folders that don't exist here, and Chromium crashes without a font.
 */
async function unpack(folder: string): Promise<Executable> {
  const savedEnv = { ...process.env };
  const unpackFolder = await mkdtemp(join(folder, 'chromium-'));
  Object.assign(process.env, { TMPDIR: unpackFolder, VERCEL: '1' });
  try {
    const { default: packaged } = await import('@sparticuz/chromium');
    const executablePath = await packaged.executablePath();
    const FONTCONFIG_FILE = join(unpackFolder, 'own-fonts.conf');
    const fonts = join(unpackFolder, 'fonts');
    const folders = `<dir>${fonts}</dir><cachedir>${fonts}-cache</cachedir>`;
    await writeFile(FONTCONFIG_FILE, `<?xml version="1.0"?><fontconfig>${folders}</fontconfig>`);
    return { executablePath, env: { ...process.env, FONTCONFIG_FILE } };
  } finally {
    // Restore key by key: assigning a new object to `process.env` would not change the real environment.
    for (const name of Object.keys(process.env)) if (!(name in savedEnv)) delete process.env[name];
    Object.assign(process.env, savedEnv);
  }
}

/** Test files share this module, and the package unpacks itself only once per process. */
let unpacked: Promise<Executable> | undefined;

function unpackOnce(folder: string): Promise<Executable> {
  unpacked ??= unpack(folder);
  return unpacked;
}

const networkFlags = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
];

/** Launches an installed headless shell, else the packaged one (unpacked into `folder`), else an installed browser. */
export async function launch(folder: string): Promise<Browser> {
  const path = installedShell() ?? (isPackaged ? undefined : installedBrowser());
  const { executablePath, env } =
    path === undefined ? await unpackOnce(folder) : { executablePath: path, env: process.env };
  const args = ['--no-sandbox', '--disable-gpu', '--no-first-run', ...networkFlags];
  return chromium.launch({ executablePath, args, env: env as Record<string, string> });
}
