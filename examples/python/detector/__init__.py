"""The parts of train_detector.py: scenes, network, evaluation, pictures, processes."""
