// Makes a text field grow with its text, in browsers without CSS support for that.
import { useLayoutEffect, useRef, type RefObject } from 'react';

/** @returns a ref for the text field */
export function useAutoGrow(text: string): RefObject<HTMLTextAreaElement | null> {
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const element = field.current;
    if (!element || CSS.supports('field-sizing', 'content')) return;
    element.style.height = 'auto';
    element.style.height = `${element.scrollHeight + 2}px`;
  }, [text]);
  return field;
}
