import { escaped } from '../../src/features/common/page.ts';
import { style } from '../../src/sandbox/slack/page/style.ts';
import { elementsOf, normalizeBlocks } from '../../src/sandbox/slack/state/blocks.ts';
import type { Json } from '../../src/sandbox/slack/state/model.ts';
import { allSamples, type NamedSample, problemOf } from '../views/all-samples.ts';
import type { Sample } from '../views/hostile-texts.ts';
import { webPages } from '../views/pages.ts';
import { drawSample } from './draw.ts';
import { htmlOf } from './html.ts';

const darkQuery = '@media (prefers-color-scheme: dark)';
const darkColours = style.split(`${darkQuery} {\n  :root {`)[1]?.split('}')[0];

/** Renders every view, message and web page with the tests' sample data, in light and dark, as one HTML page. */
export async function galleryHtml(): Promise<string> {
  if (darkColours === undefined) throw new Error('the style sheet of the sandbox has no dark colours');
  const samples = await allSamples();
  const features = [...new Set(samples.map(({ feature }) => feature))];
  const links = [...features, 'web pages'].map((name) => `<a href="#${name}">${name}</a>`);
  const sections = features.map((feature) => {
    const articles = samples.filter((sample) => sample.feature === feature).map(sampleHtml);
    return `<section><h2 id="${feature}">${feature}</h2>${articles.join('')}</section>`;
  });
  const pages = Object.entries(webPages).map(webPageHtml);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Dropline gallery</title>
<style>${style.replace(darkQuery, '@media not all')}
.light { color-scheme: light; } .dark { color-scheme: dark; ${darkColours} }${ownStyle}</style></head>
<body><header><h1>Dropline gallery</h1><nav>${links.join(' ')}</nav></header>
<main>${sections.join('')}<section><h2 id="web pages">web pages</h2>${pages.join('')}</section></main></body></html>
`;
}

/** Throws if Slack would refuse the sample. */
export function sampleHtml({ feature, name, sample }: NamedSample): string {
  const problem = problemOf(sample);
  if (problem) throw new Error([`${feature}: ${name}: ${problem.error}`, ...problem.messages].join('\n'));
  const variants = ['light', 'dark'].map((scheme) => {
    const drawn = drawSample(sample, `${feature} ${name} ${scheme}`).map(htmlOf).join('');
    return `<div class="shown ${scheme}">${drawn}</div>`;
  });
  return `<article class="sample" data-sample="${escaped(`${feature}: ${name}`)}">
<h3>${escaped(name)}</h3>${notesOf(sample)
    .map((note) => `<p class="note">${escaped(note)}</p>`)
    .join('')}
${variants.join('\n')}</article>`;
}

/** Lists texts that aren't visible in the sample: the notification, and the options of closed menus. */
function notesOf(sample: Sample): string[] {
  const elements = normalizeBlocks(sample.blocks as object[] as Json[]).flatMap((block) => elementsOf(block));
  const menus = elements.filter(({ type }) => type === 'overflow' || type === 'static_select');
  const labels = menus.map(({ options }) =>
    ((options ?? []) as { text: { text: string } }[]).map(({ text }) => text.text).join(' · '),
  );
  return [
    ...('type' in sample ? [] : [`Notification: ${sample.text}`]),
    ...[...new Set(labels)].map((label) => `Menu: ${label}`),
  ];
}

function webPageHtml([name, page]: [string, string]): string {
  const frames = [
    ['light', 'not all'],
    ['dark', 'all'],
  ].map(([scheme, query = '']) => {
    const content = page
      .replace('@media(prefers-color-scheme:dark)', `@media ${query}`)
      .replace('light dark', scheme ?? '');
    return `<iframe class="shown ${scheme}" title="${escaped(`${name}, ${scheme}`)}" srcdoc="${escaped(content)}"></iframe>`;
  });
  return `<article class="sample" data-sample="${escaped(`page: ${name}`)}"><h3>${escaped(name)}</h3>${frames.join('')}</article>`;
}

const ownStyle = `
body { height: auto; padding: 16px; } nav { display: flex; gap: 12px; margin: 8px 0 16px; }
section > h2 { margin: 40px 0 12px; font-size: 26px; text-transform: capitalize; }
.sample { display: grid; grid-template-columns: 600px 600px; gap: 6px 12px; margin-bottom: 28px; }
.sample > h3, .note { grid-column: 1 / -1; overflow-wrap: anywhere; } .note { color: var(--dim); font-size: 13px; max-height: 60px; overflow: auto; }
.shown { padding: 20px 16px; border: 1px solid var(--line); border-radius: 8px; background: var(--paper); color: var(--ink);
  max-height: 900px; overflow: auto; }
iframe.shown { width: 100%; height: 600px; padding: 0; }
.layer { display: block; padding: 0; background: none; } .layer + .layer { margin-top: 12px; } .modal { max-height: 780px; }
.modal header h2 { text-transform: none; }`;
