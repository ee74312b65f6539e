import { limits } from './limits.ts';
import { type Check, child, refuse } from './path.ts';
import { byType, type Rule, variant } from './shapes.ts';
import { flag, text } from './values.ts';

/** Text of spaces only can't be read or clicked. */
const notBlank: Rule = (fields, path) => {
  if (typeof fields.text === 'string' && fields.text !== '' && fields.text.trim() === '') {
    refuse(child(path, 'text'), 'must be more than spaces');
  }
};

export function plainText(max: number = limits.text): Check {
  return byType({ plain_text: plain(max) });
}

export function anyText(max: number = limits.text): Check {
  return byType({ plain_text: plain(max), mrkdwn: mrkdwn(max) });
}

function plain(max: number): Check {
  return variant({ required: { text: text(max) }, optional: { emoji: flag } }, notBlank);
}

function mrkdwn(max: number): Check {
  return variant({ required: { text: text(max) }, optional: { verbatim: flag } }, notBlank);
}

export const placeholder = plainText(limits.placeholder);
