import { defineCollection } from '../../store/index.ts';
import type { Services } from '../services.ts';
import { defaultSettings, type Settings, settingsSchema } from './settings.ts';

const storedSettings = defineCollection('settings', settingsSchema);

export async function readSettings({ store }: Pick<Services, 'store'>, workspace: string): Promise<Settings> {
  return (await store.collection(storedSettings).get(workspace)) ?? defaultSettings;
}

/** One change at a time, so that an older copy can't undo what another admin has just restricted. */
export function changeStored(
  services: Pick<Services, 'store'>,
  workspace: string,
  change: (settings: Settings) => Settings | Promise<Settings>,
): Promise<Settings> {
  return services.store.withLock(`settings ${workspace}`, AbortSignal.timeout(10_000), async () => {
    const changed = await change(await readSettings(services, workspace));
    await writeSettings(services, workspace, changed);
    return changed;
  });
}

function writeSettings({ store }: Pick<Services, 'store'>, workspace: string, settings: Settings): Promise<void> {
  return store.collection(storedSettings).set(workspace, settings);
}
