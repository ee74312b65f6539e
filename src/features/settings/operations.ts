import { z } from 'zod';
import { DroplineError } from '../../errors.ts';
import { audited } from '../audited.ts';
import type { Actor, Services } from '../services.ts';
import { expectAllowed } from './permission.ts';
import { type Settings, settingsSchema } from './settings.ts';
import { changeStored } from './stored.ts';

/** Changes the settings named and keeps the others. */
export function changeSettings(services: Services, actor: Actor, changes: Partial<Settings>): Promise<Settings> {
  return audited(services, actor, 'settings', async ({ note }) => {
    note({ changed: Object.keys(changes) });
    await expectAllowed(services, actor, 'admin');
    return changeStored(services, actor.workspace, (settings) => parseSettings({ ...settings, ...changes }));
  });
}

function parseSettings(wish: unknown): Settings {
  const { success, data, error } = settingsSchema.safeParse(wish);
  if (!success) {
    const [issue] = error.issues;
    throw new DroplineError('invalid', z.prettifyError(error), { field: String(issue?.path[0] ?? '') });
  }
  if (data.ttl.longest !== undefined && data.ttl.usual > data.ttl.longest) {
    throw new DroplineError('invalid', 'The usual time to live is longer than the longest one.', { field: 'ttl' });
  }
  return data;
}
