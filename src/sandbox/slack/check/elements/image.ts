import { limits } from '../limits.ts';
import { exactlyOne, kind, object, typed } from '../shapes.ts';
import { webAddress } from '../urls.ts';
import { fileId, text } from '../values.ts';

const slack_file = object({ optional: { url: webAddress, id: fileId } }, exactlyOne('url', 'id'));

/** The fields that the image block and the image element share. */
export const picture = {
  required: { alt_text: text(limits.image.altText) },
  optional: { image_url: webAddress, slack_file },
};

export const onePicture = exactlyOne('image_url', 'slack_file');

export const image = typed({ image: kind(picture, onePicture) });
