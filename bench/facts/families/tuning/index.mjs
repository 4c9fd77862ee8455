// Families that may be looked at while the summarizer is worked on.
import { dataPipeline } from './data-pipeline.mjs';
import { goGateway } from './go-gateway.mjs';
import { webShop } from './web-shop.mjs';

export const TUNING = [dataPipeline, goGateway, webShop];
