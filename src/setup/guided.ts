import type { Values } from './check-secrets.ts';
import type { Prompts } from './prompts.ts';
import { Cancelled } from './prompts.ts';
import { askAll } from './questions.ts';
import { approval, type Mode } from './secrets.ts';
import { startBot } from './start.ts';
import { changesIn, save, type Target } from './target.ts';

const connect = 'Type /drop connect in Slack';

/** Guides a person through the set-up in a terminal. Writes nothing before all answers are checked. */
export async function runGuided(prompts: Prompts, target: Target, env: NodeJS.ProcessEnv): Promise<void> {
  let isSaved = false;
  try {
    prompts.begin('Dropline: from here to your own Slack');
    if (target.text !== undefined) prompts.say(`${target.path} is kept: only what it lacks is asked for.`);
    const { mode, values } = await askAll(prompts, target, env);
    isSaved = await confirmAndSave(prompts, target, values);
    if (!isSaved) {
      prompts.end('Nothing was written.');
      process.exitCode = 1;
    } else if (await prompts.confirm('Start Dropline now?')) await start(prompts, mode, values);
    else prompts.end(`Start it with: npm start. Then: ${connect}`);
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error;
    prompts.end(isSaved ? `Cancelled. ${target.path} is complete: npm start` : 'Cancelled. Nothing was written.');
    process.exitCode = 130;
  }
}

/** Saves the values. Asks before it changes an existing file. */
async function confirmAndSave(prompts: Prompts, target: Target, values: Values): Promise<boolean> {
  const changes = changesIn(target, values);
  const names = Object.keys(changes).join(', ');
  if (names === '') {
    prompts.done(`${target.path} has everything; it wasn't changed.`);
    return true;
  }
  if (target.text !== undefined && !(await prompts.confirm(`Write ${names} to ${target.path}?`))) return false;
  await save(target, changes);
  prompts.done(`Wrote ${target.path}. It has secrets, so only you can read it.`);
  return true;
}

async function start(prompts: Prompts, mode: Mode, values: Values): Promise<void> {
  prompts.say('Starting. If Slack limits connections, this takes up to a minute …');
  const bot = startBot(mode === 'socket');
  // The terminal sends Ctrl-C to the bot too, which then ends. Wait for it instead of ending first.
  process.on('SIGINT', () => {});
  try {
    await bot.ready;
    if (mode !== 'socket') {
      prompts.say(nextStep(mode, values.PUBLIC_URL ?? ''));
      await bot.reachedBySlack;
    }
    prompts.done('Slack reaches Dropline.');
    prompts.end(connect);
    prompts.print('Dropline is running. Ctrl-C stops it; npm start starts it again.');
  } catch (error) {
    prompts.fail(error instanceof Error ? error.message : String(error));
  }
  process.exitCode = await bot.ended;
}

function nextStep(mode: Mode, url: string): string {
  const verify =
    'In the Slack app, under "Event Subscriptions", click Retry beside the request URL. If Slack refuses it, the signing secret is wrong.';
  return mode === 'https-many'
    ? `${verify}\nThen open ${url.replace(/\/+$/, '')}/slack/install and allow it. ${approval}`
    : verify;
}
