// folds
