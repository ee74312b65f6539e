import { limits } from '../limits.ts';
import { byType, exactlyOneOf, object, variant } from '../shapes.ts';
import { webUrl } from '../urls.ts';
import { fileId, text } from '../values.ts';

const slack_file = object({ optional: { url: webUrl, id: fileId } }, exactlyOneOf('url', 'id'));

/** The fields that the image block and the image element share. */
export const imageFields = {
  required: { alt_text: text(limits.image.altText) },
  optional: { image_url: webUrl, slack_file },
};

export const exactlyOneSource = exactlyOneOf('image_url', 'slack_file');

export const image = byType({ image: variant(imageFields, exactlyOneSource) });
