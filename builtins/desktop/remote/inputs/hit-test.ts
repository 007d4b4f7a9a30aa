// Decides whether a guest may use the target of an input. The check runs in an isolated world of the page, so that page scripts cannot change it.
import { withLimit } from '#lib/async';
import type { CdpSession } from 'agent-harness/builtins/desktop/desktop-window';

/**
 * `open`: allowed for guests. `protected`: not allowed. `opener`: a press would open something on the host's machine: a file chooser, another site,
 * a download.
 */
export type Verdict = 'open' | 'protected' | 'opener';

export interface Focus {
  readonly verdict: Verdict;
  readonly isEditable: boolean;
  /** Rectangle as fractions of the visible area, 0 to 1. */
  readonly rect?: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
}

export interface HitTest {
  /**
   * @param x fraction of the visible area, 0 to 1 @param isRight whether the press is a right click, which must not open the browser's context menu @param
   * mayDecide whether the guest may answer approvals and questions
   */
  at(x: number, y: number, isRight: boolean, mayDecide: boolean): Promise<Verdict>;
  focus(mayDecide: boolean): Promise<Focus>;
  /** Called when the page was replaced. */
  forget(): void;
}

/** `doubtful`: open, unless a closed shadow tree is attached to the target. */
type Doubted = Verdict | 'doubtful';

const worldName = 'remote guests';
const limitMs = 1_000;

/** Source of the script, as a string because it runs in the page. */
const source = `(() => {
  const up = (node) => node.assignedSlot ?? node.parentNode ?? node.host ?? node.defaultView?.frameElement ?? null;
  let mayDecide = false;
  const isRefused = (from) => {
    for (let node = from; node; node = up(node)) {
      if (node.nodeType === 1 && node.getAttribute('data-guest') === 'refuse' && !(mayDecide && node.hasAttribute('data-guest-decision'))) return true;
    }
    return false;
  };
  const closest = (from, selector) => {
    for (let node = from; node; node = up(node)) if (node.nodeType === 1 && node.matches(selector)) return node;
    return null;
  };
  const judge = (element) => {
    if (!element) return 'open';
    const label = closest(element, 'label');
    const button = closest(element, 'button, input, output, select, textarea');
    const owned = [element, label?.control, button?.form, button?.popoverTargetElement, button?.commandForElement];
    if (owned.some((one) => one && isRefused(one))) return 'protected';
    const link = closest(element, 'a[href], area[href]');
    if (link && (link.hasAttribute('download') || !/^https?:$/.test(link.protocol) || link.origin !== location.origin)) return 'opener';
    if ([element, label?.control].some((one) => one && one.nodeType === 1 && one.matches('input[type=file]'))) return 'opener';
    return 'open';
  };
  const frames = 'iframe, frame, object, embed, fencedframe';
  const inside = (element) => {
    try { return element.contentDocument ?? null; } catch { return null; }
  };
  /** Cross-origin, so its content cannot be read. */
  const isSealed = (element) => element.matches(frames) && !inside(element);
  /** A tree may hang there that is closed to scripts. */
  const mayHide = (element) => !element.shadowRoot && (element.localName.includes('-') || hosts.has(element.localName));
  const hosts = new Set('article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span'.split(' '));
  const kit = { at, focus, doubtful: null };
  function at(fx, fy, isRight, decides) {
    mayDecide = decides;
    const view = visualViewport;
    let x = view.offsetLeft + fx * view.width, y = view.offsetTop + fy * view.height;
    let root = document, found = null;
    for (let depth = 0; depth < 32; depth++) {
      const next = root.elementFromPoint(x, y);
      if (!next || next === found) break;
      found = next;
      if (isRefused(found)) return 'protected';
      if (found.shadowRoot) { root = found.shadowRoot; continue; }
      if (!found.matches(frames)) break;
      const box = found.getBoundingClientRect();
      // One that is turned or scaled shows its page elsewhere than it says.
      if (isSealed(found) || Math.abs(box.width - found.offsetWidth) > 1 || Math.abs(box.height - found.offsetHeight) > 1) return 'opener';
      const style = getComputedStyle(found);
      x -= box.left + found.clientLeft + parseFloat(style.paddingLeft); y -= box.top + found.clientTop + parseFloat(style.paddingTop);
      root = inside(found);
    }
    if (isRight) addEventListener('contextmenu', (event) => event.preventDefault(), { capture: true, once: true });
    return doubted(found, judge(found));
  }
  const doubted = (element, verdict) => {
    kit.doubtful = verdict === 'open' && element && mayHide(element) ? element : null;
    return kit.doubtful ? 'doubtful' : verdict;
  };
  const active = () => {
    let found = document.activeElement;
    for (let depth = 0; found && depth < 32; depth++) {
      const next = (found.shadowRoot ?? inside(found))?.activeElement;
      if (!next) break;
      found = next;
    }
    return found;
  };
  const texts = /^(?:text|search|url|tel|email|password|number|date|time|month|week|datetime-local)$/;
  function focus(decides) {
    mayDecide = decides;
    const found = active();
    const verdict = found && isSealed(found) ? 'protected' : doubted(found, judge(found));
    if (!found || found === document.body) return { verdict, isEditable: false };
    const isEditable = found.isContentEditable === true || found.matches('textarea') || (found.matches('input') && texts.test(found.type));
    const box = found.getBoundingClientRect();
    const part = (value, all) => Math.min(1, Math.max(0, value / all));
    const rect = { x: part(box.left, innerWidth), y: part(box.top, innerHeight), width: part(box.width, innerWidth), height: part(box.height, innerHeight) };
    return { verdict, isEditable, rect };
  }
  return kit;
})()`;

/** Creates the hit test. It refuses a target that cannot be checked in time. */
export function createHitTest(session: CdpSession): HitTest {
  let kit: Promise<string> | undefined;

  async function make(): Promise<string> {
    const { frameTree } = (await session.send('Page.getFrameTree')) as { frameTree: { frame: { id: string } } };
    const { executionContextId } = (await session.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id, worldName })) as {
      executionContextId: number;
    };
    const { result } = (await session.send('Runtime.evaluate', { expression: source, contextId: executionContextId })) as { result: { objectId?: string } };
    if (result.objectId === undefined) throw new Error('the page does not respond');
    return result.objectId;
  }

  async function call<T>(body: string, values: readonly unknown[]): Promise<T> {
    const objectId = await (kit ??= make());
    const reply = (await session.send('Runtime.callFunctionOn', {
      objectId,
      functionDeclaration: `function (...values) { ${body} }`,
      arguments: values.map((value) => ({ value })),
      returnByValue: true,
    })) as { result: { value?: T }; exceptionDetails?: unknown };
    if (reply.exceptionDetails !== undefined || reply.result.value === undefined) throw new Error('the page does not respond');
    return reply.result.value;
  }

  /** Calls a function of the script. A newly loaded page has a new isolated world. */
  async function ask<T>(body: string, values: readonly unknown[], otherwise: T): Promise<T> {
    const asking = call<T>(body, values).catch(() => {
      kit = undefined;
      return call<T>(body, values);
    });
    return withLimit(
      asking.catch(() => otherwise),
      limitMs,
      () => otherwise,
    );
  }

  /** Resolves a doubtful verdict. No script can inspect a closed shadow tree, so its content is protected. */
  async function settle(): Promise<Verdict> {
    const objectId = await kit;
    if (objectId === undefined) return 'protected';
    const doubtful = (await session.send('Runtime.callFunctionOn', { objectId, functionDeclaration: 'function () { return this.doubtful; }' })) as {
      result: { objectId?: string };
    };
    const { node } = (await session.send('DOM.describeNode', { objectId: doubtful.result.objectId })) as {
      node: { shadowRoots?: readonly { shadowRootType?: string }[] };
    };
    return node.shadowRoots?.some(({ shadowRootType }) => shadowRootType === 'closed') === true ? 'protected' : 'open';
  }

  async function settled(verdict: Doubted): Promise<Verdict> {
    if (verdict !== 'doubtful') return verdict;
    const refused = (): Verdict => 'protected';
    return withLimit(settle().catch(refused), limitMs, refused);
  }

  return {
    at: async (x, y, isRight, mayDecide) => settled(await ask<Doubted>('return this.at(...values)', [x, y, isRight, mayDecide], 'protected')),
    async focus(mayDecide) {
      const found = await ask<Omit<Focus, 'verdict'> & { verdict: Doubted }>('return this.focus(...values)', [mayDecide], {
        verdict: 'protected',
        isEditable: false,
      });
      return { ...found, verdict: await settled(found.verdict) };
    },
    forget: () => (kit = undefined),
  };
}
