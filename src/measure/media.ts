import { imageSize } from 'image-size';
import type { MediaKind } from '../model/conversation.ts';

/** What is known of a media block's content. */
export interface MediaData {
  /** Base64 of the bytes; only the first part of it is decoded. */
  readonly base64?: string;
  readonly url?: string;
  readonly mime?: string;
  /** Decoded length. */
  readonly bytes?: number;
  readonly pages?: number;
  /** OpenAI's `detail`: low costs a fixed number of tokens. */
  readonly detail?: string;
}

export interface MediaEstimate {
  readonly tokens: number;
  /** False when nothing could be read, and `tokens` is 0. */
  readonly known: boolean;
}

/** Base64 characters that hold an image's header with room to spare. */
const HEADER = 64 * 1024;
const PAGE_BYTES = 50_000;
const PAGE_TOKENS = 2000;
const UNKNOWN: MediaEstimate = { tokens: 0, known: false };

/**
 * Tokens of a media block by the vendor's published formula from its dimensions; a document by pages or size.
 * Never throws, whatever the data.
 */
export function estimateMedia(
  kind: MediaKind,
  data: MediaData,
  vendor: 'anthropic' | 'openai' | 'google' | 'other',
): MediaEstimate {
  if (kind === 'document') return documentTokens(data);
  if (kind !== 'image') return UNKNOWN;
  if (vendor === 'openai' && data.detail === 'low') return { tokens: 85, known: true };
  const size = dimensions(data);
  if (size === undefined) return UNKNOWN;
  const tokens = {
    anthropic: anthropicImage,
    other: anthropicImage,
    openai: openaiImage,
    google: googleImage,
  }[vendor](size);
  return { tokens, known: true };
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** width x height / 750 after scaling to a long edge of 1,568 and 1.15 megapixels (Anthropic, vision guide). */
function anthropicImage({ width, height }: Size): number {
  const edge = Math.min(1, 1568 / Math.max(width, height));
  const area = Math.min(1, Math.sqrt(1_150_000 / (width * edge * height * edge)));
  return Math.max(1, Math.ceil((width * edge * area * height * edge * area) / 750));
}

/** 85 + 170 for each 512 px tile, scaled into 2,048 px and to a short side of 768 (OpenAI, images guide). */
function openaiImage({ width, height }: Size): number {
  const fit = Math.min(1, 2048 / Math.max(width, height));
  const short = Math.min(1, 768 / Math.min(width * fit, height * fit));
  const tiles = (length: number) => Math.ceil((length * fit * short) / 512);
  return 85 + 170 * tiles(width) * tiles(height);
}

/** 258 for a small image, else for each 768 px tile (Google, Gemini token guide). */
function googleImage({ width, height }: Size): number {
  if (width <= 384 && height <= 384) return 258;
  return 258 * Math.ceil(width / 768) * Math.ceil(height / 768);
}

function documentTokens(data: MediaData): MediaEstimate {
  const bytes =
    data.bytes ??
    (data.base64 === undefined ? undefined : Math.floor((data.base64.length * 3) / 4));
  if (data.pages !== undefined) return { tokens: data.pages * PAGE_TOKENS, known: true };
  if (bytes === undefined) return UNKNOWN;
  if (data.base64 === undefined || isPlain(data.mime))
    return { tokens: Math.ceil(bytes / 4), known: true };
  return { tokens: Math.max(1, Math.round(bytes / PAGE_BYTES)) * PAGE_TOKENS, known: true };
}

function isPlain(mime: string | undefined): boolean {
  return mime !== undefined && /^(?:text\/|application\/json|txt$|md$|csv$|html$)/.test(mime);
}

function dimensions({ base64 }: MediaData): Size | undefined {
  if (base64 === undefined || base64 === '') return undefined;
  try {
    const { width, height } = imageSize(Buffer.from(base64.slice(0, HEADER), 'base64'));
    return width > 0 && height > 0 ? { width, height } : undefined;
  } catch {
    return undefined;
  }
}
