/** The recipes, which are kept in memory. */
export interface Recipe {
  title: string;
  minutes: number;
  steps: string[];
}

export const recipes: Recipe[] = [
  { title: "Porridge", minutes: 10, steps: ["Boil the milk.", "Stir in the oats."] },
  { title: "Tomato soup", minutes: 30, steps: ["Fry the onions.", "Add the tomatoes.", "Simmer."] },
];

/** Return the recipe of a title, undefined if there is none. */
export function findRecipe(title: string): Recipe | undefined {
  return recipes.find((recipe) => recipe.title === title);
}
