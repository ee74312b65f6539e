import { button } from '../elements/buttons.ts';
import { image } from '../elements/image.ts';
import { limits } from '../limits.ts';
import { below, type Check, refuse } from '../path.ts';
import { richText } from '../rich-text.ts';
import { atLeastOne, list, type Rule, typed, unique } from '../shapes.ts';
import { anyText, mrkdwnText, plainText } from '../text-objects.ts';
import { flag, oneOf } from '../values.ts';
import { block } from './block.ts';

export const alert = block({
  required: { text: anyText() },
  optional: { level: oneOf('default', 'info', 'warning', 'error', 'success') },
});

export const card = block(
  {
    optional: {
      hero_image: image,
      icon: image,
      title: mrkdwnText(limits.card.title),
      subtitle: mrkdwnText(limits.card.subtitle),
      body: mrkdwnText(limits.card.body),
      actions: list(typed({ button }), { max: limits.card.actions }),
    },
  },
  atLeastOne('hero_image', 'title', 'actions', 'body'),
  unique('actions', 'action_id'),
);

export const carousel = block({
  required: { elements: list(typed({ card }), { max: limits.carousel.cards }) },
});

const collapsedOnlyIfCollapsible: Rule = (fields, path) => {
  if (fields.default_collapsed === true && fields.is_collapsible !== true) {
    refuse(below(path, 'default_collapsed'), 'requires is_collapsible');
  }
};

/** A frame around other blocks; the list of block types says which ones it can hold. */
export function container(child: Check): Check {
  return block(
    {
      required: { child_blocks: list(child, { max: limits.container.blocks }) },
      optional: {
        title: plainText(limits.container.title),
        rich_text_title: richText,
        subtitle: anyText(limits.container.subtitle),
        icon: image,
        width: oneOf('narrow', 'standard', 'wide', 'full'),
        is_collapsible: flag,
        default_collapsed: flag,
        has_header_divider: flag,
      },
    },
    atLeastOne('title', 'rich_text_title'),
    collapsedOnlyIfCollapsible,
  );
}
