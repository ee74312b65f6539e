import type { ModalView } from '@slack/types';
import type { Actor, Services } from '../../common/services.ts';
import { namedAndGone } from '../operations.ts';
import type { Settings } from '../repository.ts';
import { overviewView } from '../views.ts';

export const overviewOf = async (
  services: Services,
  actor: Actor,
  settings: Settings,
  notice?: string,
): Promise<ModalView> => overviewView(settings, await namedAndGone(services, actor, settings), notice);
