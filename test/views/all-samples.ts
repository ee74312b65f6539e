import { readdirSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { checkMessage, checkView, type Problem } from '../../src/sandbox/slack/check/index.ts';
import type { Sample, Samples } from './hostile-texts.ts';

/** Each feature has a file in this folder with samples of its views, with normal and hostile data. */
const folder = new URL('./samples/', import.meta.url);

export interface NamedSample {
  feature: string;
  name: string;
  sample: Sample;
}

export const sampledFeatures = readdirSync(folder).map((file) => basename(file, extname(file)));

export async function allSamples(): Promise<NamedSample[]> {
  const files = readdirSync(folder).map(async (file) => {
    const { samples } = (await import(new URL(file, folder).href)) as { samples: Samples };
    return Object.entries(samples).map(([name, sample]) => ({ feature: basename(file, extname(file)), name, sample }));
  });
  return (await Promise.all(files)).flat();
}

/** Why Slack would refuse the sample. */
export function problemOf(sample: Sample): Problem | undefined {
  return 'type' in sample ? checkView(sample) : checkMessage(sample);
}
