// Builds the index of the page, including the token for clients that may receive it.
import type { KernelControl } from 'agent-harness/kernel';
import { pageIndex } from '#lib/page-files';
import type { Site } from '#lib/site';
import type { FileReply, RouteContext, WebToken } from 'agent-harness/plugins/http';
import type { Product } from 'agent-harness/plugins/storage';
import type { PageMetas } from './page-metas.ts';

export interface PageServices {
  readonly product: Product;
  readonly webToken: WebToken;
  readonly kernel: Pick<KernelControl, 'report'>;
}

type Visit = Pick<RouteContext, 'isLocal' | 'token'>;

/**
 * Returns the index of the page; `undefined` if the page is not built. A visitor who presents a token receives the same token; the user of this machine
 * receives the web token without presenting one. Both receive the values that plugins add. Other visitors receive only the names of the plugins that provide a
 * sign-in method.
 */
export async function makeIndex(
  visit: Visit,
  site: Site,
  { product, webToken, kernel }: PageServices,
  added: Pick<PageMetas, 'read'>,
): Promise<FileReply | undefined> {
  const token = visit.token ?? (visit.isLocal ? await webToken.current() : undefined);
  const metas = token === undefined ? { 'sign-in': letIn(kernel).join(' ') } : { ...(await added.read()), [`${product.name}-web-auth`]: token };
  return pageIndex(site, { title: product.title, metas });
}

/** Returns the names of the plugins that identify users by a token. */
function letIn(kernel: PageServices['kernel']): string[] {
  const { plugins } = kernel.report();
  return plugins.filter(({ state, adds }) => state === 'active' && adds.some((label) => label.startsWith('token_source'))).map(({ name }) => name);
}
