import { defineCollection } from '../../store/index.ts';
import type { Services } from '../common/services.ts';
import { defaultSettings, type Settings, settingsSchema } from './settings.ts';

const storedSettings = defineCollection('settings', settingsSchema);

export async function readSettings({ store }: Pick<Services, 'store'>, workspace: string): Promise<Settings> {
  return (await store.collection(storedSettings).get(workspace)) ?? defaultSettings;
}

/** Changes settings one at a time, so that a concurrent change based on an older copy can't undo a restriction. */
export function updateSettings(
  { store }: Pick<Services, 'store'>,
  workspace: string,
  change: (settings: Settings) => Settings,
): Promise<Settings> {
  return store.collection(storedSettings).update(workspace, (settings = defaultSettings) => change(settings));
}
