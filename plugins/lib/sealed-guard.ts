// Defines the script that runs before the scripts of a sandboxed page. It blocks features that no content security policy covers: WebRTC, frames with their
// own globals, name resolution by <link>, and documents that the page creates and navigates to.

/** Names of elements that create a browsing context, or a request that no policy blocks. */
export const sealedOut = ['iframe', 'frame', 'frameset', 'object', 'embed', 'fencedframe', 'portal', 'link', 'base'] as const;

/** Matches the attribute that declares a shadow tree in markup, because the guard cannot reach frames in a closed tree. */
export const shadowMode = /shadowrootmode/gi;

/**
 * Source of the guard, plain JavaScript for a classic script. It captures functions of the prototypes before the page can replace them, and passes the
 * `nonce` of its element to scripts that the page adds later. The page itself must not contain {@link shadowMode}. If the guard fails in a browser, the
 * page does not load further.
 */
export const sealedGuard = String.raw`try { (() => {
'use strict';
const out = '${sealedOut.join(',')}';
const { apply } = Reflect;
const { defineProperty, getOwnPropertyDescriptor, getOwnPropertyNames, hasOwn } = Object;
const nonce = document.currentScript.nonce;
for (const name of getOwnPropertyNames(window)) if (/RTC/.test(name)) defineProperty(window, name, { value: undefined, configurable: false, writable: false });

Object.freeze(RegExp.prototype);
const { replace, lastIndexOf, slice } = String.prototype;
const frames = getOwnPropertyDescriptor(window, 'length').get;
const typeOf = getOwnPropertyDescriptor(Node.prototype, 'nodeType').get;
const sizeOf = getOwnPropertyDescriptor(NodeList.prototype, 'length').get;
const { matches, remove } = Element.prototype;
const finders = { 1: Element.prototype.querySelectorAll, 9: Document.prototype.querySelectorAll, 11: DocumentFragment.prototype.querySelectorAll };
const newText = Text;

const kindOf = (value) => { try { return apply(typeOf, value, []); } catch { return 0; } };
const find = (root, selector) => (hasOwn(finders, kindOf(root)) ? apply(finders[kindOf(root)], root, [selector]) : undefined);
const each = (list, act) => { for (let at = 0; at < (list ? apply(sizeOf, list, []) : 0); at++) act(list[at]); };
const strip = (root) => each(find(root, out), (one) => apply(remove, one, []));
const sweep = () => { if (apply(frames, window, []) !== 0) strip(document); };
const setNonce = getOwnPropertyDescriptor(HTMLElement.prototype, 'nonce').set;
const admit = (script) => { try { apply(setNonce, script, [nonce]); } catch { /* one of SVG, which then does not run */ } };
const cleaned = (value) => {
  if (kindOf(value) === 1 && apply(matches, value, [out])) return new newText('');
  if (kindOf(value) === 1 && apply(matches, value, ['script'])) admit(value);
  strip(value);
  each(find(value, 'script'), admit);
  return value;
};
const tags = new RegExp('<(?=/?(?:[\\w.-]+:)?(?:' + out.replaceAll(',', '|') + ')(?:[\\s/>]|$))', 'gi');
const neutral = (text) => apply(replace, apply(replace, text, [tags, '&lt;']), [${String(shadowMode)}, 'data-shadow']);

const wrap = (proto, names, change) => {
  for (const name of names) {
    const own = proto && getOwnPropertyDescriptor(proto, name);
    if (!own) continue;
    const act = own.value ?? own.set;
    const guarded = function () {
      const args = [];
      for (let at = 0; at < arguments.length; at++) defineProperty(args, at, { value: change(arguments[at], at), writable: true, enumerable: true, configurable: true });
      try {
        const result = apply(act, this, args);
        strip(result);
        return result;
      } finally { sweep(); }
    };
    defineProperty(proto, name, own.value ? { ...own, value: guarded } : { ...own, set: guarded });
  }
};
const inserting = ['appendChild', 'insertBefore', 'replaceChild', 'append', 'prepend', 'before', 'after', 'replaceWith', 'replaceChildren', 'moveBefore', 'insertAdjacentElement', 'insertNode', 'surroundContents', 'body', 'caption', 'tHead', 'tFoot', 'add'];
for (const { prototype } of [Node, Element, Document, DocumentFragment, CharacterData, DocumentType, Range, HTMLTableElement, HTMLSelectElement, HTMLOptionsCollection]) wrap(prototype, inserting, cleaned);
const html = (place) => (value, at) => (at === place ? neutral(${'`${value}`'}) : value);
for (const { prototype } of [Element, ShadowRoot, Range, Document]) {
  wrap(prototype, ['innerHTML', 'outerHTML', 'setHTML', 'setHTMLUnsafe', 'createContextualFragment'], html(0));
  wrap(prototype, ['insertAdjacentHTML'], html(1));
  wrap(prototype, ['execCommand'], html(2));
}
// Documents that these functions return are stripped first.
wrap(DOMParser.prototype, ['parseFromString'], html(0));
wrap(Document, ['parseHTML', 'parseHTMLUnsafe'], html(0));
wrap(window.XSLTProcessor?.prototype, ['transformToFragment', 'transformToDocument'], (value) => value);
let tail = '';
wrap(Document.prototype, ['write', 'writeln'], (value) => {
  const text = tail + ${'`${value}`'};
  const end = apply(lastIndexOf, text, ['<']) > apply(lastIndexOf, text, ['>']) ? apply(lastIndexOf, text, ['<']) : text.length;
  tail = apply(slice, text, [end]);
  return apply(replace, neutral(apply(slice, text, [0, end])), [/<script(?=[\s>])/gi, '<script nonce="' + nonce + '"']);
});

const { createObjectURL } = URL;
const typeOfBlob = getOwnPropertyDescriptor(Blob.prototype, 'type').get;
const newBlob = Blob;
const plain = /^(?:image\/(?!svg)|audio\/|video\/|font\/)/;
const { test } = RegExp.prototype;
URL.createObjectURL = (given) => {
  let type;
  try { type = apply(typeOfBlob, given, []); } catch { return apply(createObjectURL, URL, [given]); }
  return apply(createObjectURL, URL, [apply(test, plain, [type]) ? given : new newBlob([given], { type: 'application/octet-stream' })]);
};

const observer = new MutationObserver(() => { if (document.readyState === 'loading') strip(document); sweep(); });
observer.observe(document, { childList: true, subtree: true });
const { port1, port2 } = new MessageChannel();
const { postMessage } = MessagePort.prototype;
port1.onmessage = () => { sweep(); if (document.readyState === 'loading') apply(postMessage, port2, [0]); };
port2.postMessage(0);
document.currentScript.remove();
})(); } catch { window.stop(); }`;
