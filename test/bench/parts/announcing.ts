import { cpuMsOf } from '../deployment/cpu.ts';
import { type Deployment, type Team, withDeployment } from '../deployment/deployment.ts';
import { until } from '../deployment/until.ts';
import type { Bench, Part } from './part.ts';

const teamCount = 10;
/** One inbox channel, and a channel for each route. */
const channelsPerTeam = 10;
/** With more new items than this in a channel, the bot would post one summary instead. */
const itemsPerChannel = 10;

const domain = (channel: number) => `c${channel}.example.org`;

async function addTeam(deployment: Deployment, number: number): Promise<Team> {
  const team = await deployment.addTeam(`Team${number}`);
  const { workspace, anna, bo } = team;
  await anna.opens('#inbox');
  await anna.sees('New files will be posted here.');
  await anna.types('/drop settings');
  await anna.clicks('Change inbox channels');
  for (let channel = 1; channel < channelsPerTeam; channel += 1) {
    workspace.addChannel({ name: `c${channel}`, members: [anna, bo, 'app'] });
    await anna.clicks('Add channel');
    await anna.picks('Channel', `#c${channel}`);
    await anna.fills('Senders', domain(channel));
    await anna.submits('Add');
    await anna.sees(`#c${channel} · ${domain(channel)}`);
  }
  await anna.closes();
  return team;
}

/** The senders named in the posts of a workspace, one per post. */
export function sendersIn({ workspace }: Team): string[] {
  return workspace.channels.flatMap(({ messages }) =>
    messages.flatMap(({ text }) => text.match(/sender-\d+@[\w.]+/)?.slice(0, 1) ?? []),
  );
}

function countByMethod(calls: readonly { method: string }[]): string {
  const counts = new Map<string, number>();
  for (const { method } of calls) counts.set(method, (counts.get(method) ?? 0) + 1);
  return [...counts].map(([method, count]) => `${count} ${method}`).join(', ');
}

async function run({ print, addFigure }: Bench): Promise<void> {
  await withDeployment(async (deployment) => {
    const { slack, callService, bot } = deployment;
    const teams: Team[] = [];
    for (let number = 0; number < teamCount; number += 1) teams.push(await addTeam(deployment, number));
    const senders = Array.from(
      { length: channelsPerTeam * itemsPerChannel },
      (_, number) => `sender-${number}@${domain(number % channelsPerTeam)}`,
    );
    const expected = senders.length * teamCount;
    slack.behaviour.rateLimits = true;
    const from = slack.calls.length;
    const cpuBefore = await cpuMsOf(bot.pid);
    const started = performance.now();
    for (const { user } of teams) await callService('addItems', { user, senders });
    const posted = () => teams.flatMap((team) => sendersIn(team).map((sender) => `${team.user} ${sender}`));
    await until(() => posted().length >= expected, 'everything to be announced', { everyMs: 100, timeoutMs: 240_000 });
    const total = (performance.now() - started) / 1000;
    const cpuMs = ((await cpuMsOf(bot.pid)) - cpuBefore) / expected;
    const calls = slack.calls.slice(from);
    const posts = calls.filter(({ method, ok }) => method === 'chat.postMessage' && ok).map(({ at }) => at);
    const seconds = (Math.max(...posts) - Math.min(...posts)) / 1000;
    const refused = calls.filter(({ error }) => error === 'ratelimited').length;
    const twice = posted().length - new Set(posted()).size;
    const channelCount = teamCount * channelsPerTeam;
    print(`\n${expected} inbox items in ${channelCount} channels of ${teamCount} workspaces, at Slack's rate limit `);
    print(
      `(one message a second per channel): ${(expected / seconds).toFixed(0)} a second, ${seconds.toFixed(1)} s from `,
    );
    print(`the first post to the last, ${total.toFixed(1)} s from the first arrival. Posted twice: ${twice}. `);
    print(`Rate-limited calls: ${refused}. One channel alone takes ${(itemsPerChannel * 1.1).toFixed(0)} s.\n`);
    print(`Calls: ${countByMethod(calls)}. Processor of the bot a post: ${cpuMs.toFixed(1)} ms.\n`);
    addFigure({ name: 'from the first post to the last', value: seconds, unit: 's', better: 'lower' });
    addFigure({ name: 'from the first arrival to the last post', value: total, unit: 's', better: 'lower' });
    addFigure({ name: 'processor of the bot a post', value: cpuMs, unit: 'ms', better: 'lower' });
    addFigure({ name: 'posted twice', value: twice, better: 'lower' });
    addFigure({ name: 'refused calls', value: refused, better: 'lower' });
  });
}

export const announcing: Part = { name: 'announcing', description: '1,000 inbox items announced in 100 channels', run };
