import { limits } from '../limits.ts';
import { exactlyOne, object, type, typed } from '../shapes.ts';
import { webAddress } from '../urls.ts';
import { fileId, text } from '../values.ts';

const slack_file = object({ optional: { url: webAddress, id: fileId } }, exactlyOne('url', 'id'));

/** What the image block and the image element have in common. */
export const picture = {
  required: { type, alt_text: text(limits.image.altText) },
  optional: { image_url: webAddress, slack_file },
};

export const onePicture = exactlyOne('image_url', 'slack_file');

export const image = typed({ image: object(picture, onePicture) });
