// Elements, made and found.

import { worth } from './text.js'

const SVG = 'http://www.w3.org/2000/svg'

/**
 * The element of an id, of the class it is known to have.
 * @template {Element} T
 * @param {string} id
 * @param {new () => T} kind
 * @returns {T}
 */
export function find(id, kind) {
  const element = document.getElementById(id)
  if (!(element instanceof kind)) throw new Error(`#${id}: no ${kind.name}`)
  return element
}

/** @param {string} id */
export const part = id => find(id, HTMLElement)
/** @param {string} id */
export const button = id => find(id, HTMLButtonElement)
/** @param {string} id */
export const input = id => find(id, HTMLInputElement)
/** @param {string} id */
export const select = id => find(id, HTMLSelectElement)

/** @typedef {Record<string, string | number | boolean | ((event: any) => void) | undefined | null>} Properties */

/**
 * @param {Element} element
 * @param {Properties} properties
 */
function dress(element, properties) {
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === 'function') element.addEventListener(name, value)
    else if (value !== undefined && value !== null && value !== false) {
      element.setAttribute(name, value === true ? '' : String(value))
    }
  }
}

/**
 * An element of HTML. Functions become listeners, everything else attributes.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Properties} [properties]
 * @param {...(Node | string | null | undefined)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function html(tag, properties = {}, ...children) {
  const element = document.createElement(tag)
  dress(element, properties)
  element.append(...children.filter(child => child !== null && child !== undefined))
  return element
}

/**
 * Puts a score into an element: the number, or in smaller letters what it means.
 * @template {Element} T
 * @param {T} element
 * @param {number | null} number
 * @param {{ words: string } | undefined} meaning
 * @param {(number: number) => string} [form]
 * @returns {T}
 */
export function figure(element, number, meaning, form) {
  element.textContent = worth(number, meaning, form)
  element.classList.toggle('words', number !== null && meaning !== undefined)
  return element
}

/**
 * An element of SVG.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Properties} [properties]
 * @param {...(Node | string)} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function svg(tag, properties = {}, ...children) {
  const element = document.createElementNS(SVG, tag)
  dress(element, properties)
  element.append(...children)
  return element
}

/** Whether the user has asked the system for less motion. */
export const isCalm = () => matchMedia('(prefers-reduced-motion: reduce)').matches
