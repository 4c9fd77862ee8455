import type { MediaKind } from '../model/conversation.ts';
export interface MediaData {
  readonly base64?: string;
  readonly url?: string;
  readonly mime?: string;
  readonly bytes?: number;
  readonly pages?: number;
  readonly detail?: string;
}
export function estimateMedia(
  kind: MediaKind,
  _data: MediaData,
  _vendor: string,
): { tokens: number; known: boolean } {
  return { tokens: kind === 'image' ? 1500 : 0, known: false };
}
