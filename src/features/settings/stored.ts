import type { Services } from '../services.ts';
import { defaultSettings, type Settings, settingsSchema } from './settings.ts';

export async function readSettings({ store }: Pick<Services, 'store'>, workspace: string): Promise<Settings> {
  return (await store.drawer('settings', settingsSchema).get(workspace)) ?? defaultSettings;
}

export function writeSettings(
  { store }: Pick<Services, 'store'>,
  workspace: string,
  settings: Settings,
): Promise<void> {
  return store.drawer('settings', settingsSchema).set(workspace, settings);
}
