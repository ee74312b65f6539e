import { button } from '../elements/buttons.ts';
import { image } from '../elements/image.ts';
import { limits } from '../limits.ts';
import { type Check, child, refuse } from '../path.ts';
import { richText } from '../rich-text.ts';
import { atLeastOneOf, byType, list, type Rule, unique } from '../shapes.ts';
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
      actions: list(byType({ button }), { max: limits.card.actions }),
    },
  },
  atLeastOneOf('hero_image', 'title', 'actions', 'body'),
  unique('actions', 'action_id'),
);

export const carousel = block({
  required: { elements: list(byType({ card }), { max: limits.carousel.cards }) },
});

const collapsedOnlyIfCollapsible: Rule = (fields, path) => {
  if (fields.default_collapsed === true && fields.is_collapsible !== true) {
    refuse(child(path, 'default_collapsed'), 'requires is_collapsible');
  }
};

/** A container of other blocks; `childCheck` defines which ones it accepts. */
export function container(childCheck: Check): Check {
  return block(
    {
      required: { child_blocks: list(childCheck, { max: limits.container.blocks }) },
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
    atLeastOneOf('title', 'rich_text_title'),
    collapsedOnlyIfCollapsible,
  );
}
