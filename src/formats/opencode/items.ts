import { jsonLiteral, stringLiteral } from '../../json/literal.ts';
import type { MediaKind } from '../../model/conversation.ts';
import { urlData } from '../dialects.ts';
import type { Dialect, ItemMedia } from '../format.ts';
import { stringAt } from '../value.ts';

/** Parts of an OpenCode message. */
export const OPENCODE_ITEMS: Dialect = {
  itemText: () => undefined,
  itemMedia(item): ItemMedia | undefined {
    const url = stringAt(item, 'type') === 'file' ? stringAt(item, 'url') : undefined;
    return url === undefined
      ? undefined
      : { kind: kindOf(stringAt(item, 'mime')), data: urlData(url) };
  },
  textItem: (literal) => `{"type":"text","text":${literal}}`,
  // A part without its ids is refused by the client.
  textInstead(literal, item) {
    const ids = ['id', 'sessionID', 'messageID'].flatMap((key) => {
      const id = stringAt(item, key);
      return id === undefined ? [] : [`,${stringLiteral(key)}:${jsonLiteral(id)}`];
    });
    return `{"type":"text","text":${literal}${ids.join('')}}`;
  },
};

function kindOf(mime = ''): MediaKind {
  const family = mime.split('/')[0];
  return family === 'image' || family === 'video' || family === 'audio' ? family : 'document';
}
